import * as catalog from '@placard/protos/catalog/v1/catalog.js';
import * as events from '@placard/protos/events/v1/events.js';
import * as serving from '@placard/protos/serving/v1/serving.js';
import { expect } from 'chai';
import * as kit from './index.js';
import * as pure from '../pure/index.js';

interface List {
  readonly what: string;
  readonly words: readonly string[];
  /** The enum of the wire as TypeScript compiles it: names and numbers. */
  readonly wire: Readonly<Record<string, string | number>>;
  readonly toWire: (word: never) => number;
  readonly fromWire: (code: never) => string | null;
}

const LISTS_OF_CATALOG = {
  adFormat: catalog.AdFormat,
  fallbackProvider: catalog.FallbackProvider,
  capPeriod: catalog.CapPeriod,
  campaignStatus: catalog.CampaignStatus,
  pacing: catalog.Pacing,
  creativeType: catalog.CreativeType,
} satisfies Record<pure.WordList, List['wire']>;

const LISTS: readonly List[] = [
  ...(Object.keys(LISTS_OF_CATALOG) as pure.WordList[]).map((list) => ({
    what: list,
    words: pure.CATALOG_WORDS[list],
    wire: LISTS_OF_CATALOG[list],
    ...kit.wordsOnWire[list],
  })),
  { what: 'kinds of objects', words: pure.OBJECT_KINDS, wire: catalog.ObjectKind, ...kit.objectKindOnWire },
  {
    what: 'no-fill reasons',
    words: pure.NO_FILL_REASONS,
    wire: serving.NoFillReason,
    ...kit.noFillReasonOnWire,
  },
  {
    what: 'verdicts on events',
    words: ['accepted', ...pure.REJECTION_REASONS],
    wire: events.EventVerdict,
    ...kit.eventVerdictOnWire,
  },
  {
    what: 'reasons of fallbacks',
    words: pure.FALLBACK_REASONS,
    wire: events.FallbackReason,
    ...kit.fallbackReasonOnWire,
  },
  { what: 'keys of reports', words: pure.REPORT_KEYS, wire: events.ReportKey, ...kit.reportKeyOnWire },
];

describe('a list that services share', () => {
  for (const { what, words, wire, toWire, fromWire } of LISTS) {
    it(`has a number on the wire for each word, and a word for each number: ${what}`, () => {
      const codes = Object.values(wire).filter((code) => typeof code === 'number' && code > 0);
      expect(words.map((word) => toWire(word as never))).to.have.members(codes);
      for (const word of words) expect(fromWire(toWire(word as never) as never)).to.equal(word);
      expect(fromWire(0 as never)).to.equal(null);
      expect(fromWire(999 as never)).to.equal(null);
    });
  }
});
