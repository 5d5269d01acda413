import {
  AD_FORMATS,
  CAMPAIGN_STATUSES,
  CAP_PERIODS,
  COUNTRIES,
  CREATIVE_TYPES,
  FALLBACK_PROVIDERS,
  PACINGS,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { EXAMPLE } from '../../../test/support/catalog-text.js';
import { judge } from '../../../test/support/judge.js';
import { toCatalogObject } from './wire.js';

/** Reads a file and returns the objects of one kind for readers; throws on any fault. */
function sentOf(text: string, kind: string): object[] {
  const { changes, faults } = judge(text);
  expect(faults).to.deep.equal([]);
  return changes.flatMap(({ kind: own, id, parentId, after }) =>
    own === kind && after !== null
      ? [toCatalogObject({ kind: own, id, parentId, fields: after, fundedNanos: 0n } as never).object ?? {}]
      : [],
  );
}

/** The sent example for each word of a list. The word replaces the example's own in the line of `lineOf`. */
function sentFor(words: readonly string[], lineOf: (word: string) => string, kind: string): string[] {
  const [first = ''] = words;
  const place = words.find((word) => EXAMPLE.includes(lineOf(word))) ?? first;
  return words.flatMap((word) =>
    sentOf(EXAMPLE.replaceAll(lineOf(place), lineOf(word)), kind).map((object) =>
      JSON.stringify(object, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ),
  );
}

describe('the catalog as readers receive it', () => {
  it('has every country of files and requests', () => {
    const [campaign] = sentOf(
      EXAMPLE.replace('countries: []', `countries: ["${COUNTRIES.join('","')}"]`),
      'campaign',
    );
    expect(campaign).to.have.nested.property('value.countries').that.deep.equals(COUNTRIES);
  });

  const lists: readonly (readonly [string, readonly string[], (word: string) => string, string])[] = [
    ['format', AD_FORMATS, (word) => `format: ${word}`, 'placement'],
    ['fallback provider', FALLBACK_PROVIDERS, (word) => `fallback_provider: ${word}`, 'placement'],
    ['period of a cap', CAP_PERIODS, (word) => `period: ${word}`, 'placement'],
    ['status of a campaign', CAMPAIGN_STATUSES, (word) => `status: ${word}`, 'campaign'],
    ['way of pacing', PACINGS, (word) => `pacing: ${word}`, 'campaign'],
    ['type of creative', CREATIVE_TYPES, (word) => `type: ${word}`, 'creative'],
  ];
  for (const [what, words, lineOf, kind] of lists) {
    it(`has a different number for every ${what}`, () => {
      expect(new Set(sentFor(words, lineOf, kind)).size).to.equal(words.length);
    });
  }
});
