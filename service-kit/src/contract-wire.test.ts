import * as catalog from '@placard/protos/catalog/v1/catalog.js';
import * as events from '@placard/protos/events/v1/events.js';
import * as serving from '@placard/protos/serving/v1/serving.js';
import { expect } from 'chai';
import * as kit from './index.js';
import * as pure from './pure/index.js';

interface List {
  readonly what: string;
  readonly words: readonly string[];
  /** The enum of the wire, as TypeScript makes it: names and numbers. */
  readonly wire: Readonly<Record<string, string | number>>;
  readonly toWire: (word: never) => number;
  readonly fromWire: (code: never) => string | null;
}

const LISTS: readonly List[] = [
  {
    what: 'ad formats',
    words: pure.AD_FORMATS,
    wire: catalog.AdFormat,
    toWire: kit.adFormatToWire,
    fromWire: kit.adFormatFromWire,
  },
  {
    what: 'fallback providers',
    words: pure.FALLBACK_PROVIDERS,
    wire: catalog.FallbackProvider,
    toWire: kit.fallbackProviderToWire,
    fromWire: kit.fallbackProviderFromWire,
  },
  {
    what: 'periods of caps',
    words: pure.CAP_PERIODS,
    wire: catalog.CapPeriod,
    toWire: kit.capPeriodToWire,
    fromWire: kit.capPeriodFromWire,
  },
  {
    what: 'statuses of campaigns',
    words: pure.CAMPAIGN_STATUSES,
    wire: catalog.CampaignStatus,
    toWire: kit.campaignStatusToWire,
    fromWire: kit.campaignStatusFromWire,
  },
  {
    what: 'ways of pacing',
    words: pure.PACINGS,
    wire: catalog.Pacing,
    toWire: kit.pacingToWire,
    fromWire: kit.pacingFromWire,
  },
  {
    what: 'types of creatives',
    words: pure.CREATIVE_TYPES,
    wire: catalog.CreativeType,
    toWire: kit.creativeTypeToWire,
    fromWire: kit.creativeTypeFromWire,
  },
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
