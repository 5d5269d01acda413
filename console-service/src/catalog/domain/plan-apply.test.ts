import { expect } from 'chai';
import { EXAMPLE, exampleWith } from '../../../test/support/catalog-text.js';
import { inWords, judge, storedAfter } from '../../../test/support/judge.js';

const stored = storedAfter(judge(EXAMPLE).changes);

/** A file with the example's campaign and these lines of fields. */
function campaignWith(...lines: readonly string[]): string {
  return `advertisers:
  - id: adv_northwind
    campaigns:
      - id: cmp_spring
${lines.map((line) => `        ${line}\n`).join('')}`;
}

function detailsOf(text: string): readonly string[] {
  const { faults, changes } = judge(text, stored);
  expect(faults).to.deep.equal([]);
  return changes.flatMap(({ details }) => details);
}

describe('applying a file to objects that exist', () => {
  it('changes nothing when the file equals the stored catalog', () => {
    expect(judge(EXAMPLE, stored)).to.deep.equal({ changes: [], notes: [], faults: [] });
  });

  it('keeps every field that the file leaves out', () => {
    expect(detailsOf(campaignWith('name: Summer sale'))).to.deep.equal(['name: Spring sale → Summer sale']);
    expect(detailsOf(campaignWith('bid_cpm: 3'))).to.deep.equal(['bid_cpm: 2.50 → 3.00']);
  });

  it('removes a limit only for an explicit null', () => {
    expect(detailsOf(campaignWith('budget_daily: null'))).to.deep.equal(['budget_daily: 20.00 → null']);
  });

  it('keeps or clears each list of targeting separately', () => {
    const targeted = storedAfter(
      judge(
        exampleWith(
          'formats: []\n          languages: []',
          'formats: [banner]\n          languages: [en, pt-BR]',
        ),
      ).changes,
    );
    const change = (line: string) =>
      judge(campaignWith(line), targeted).changes.flatMap(({ details }) => details);
    expect(change('targeting: { languages: null }')).to.deep.equal(['targeting.languages: [en, pt-BR] → []']);
    expect(change('targeting: { formats: [] }')).to.deep.equal(['targeting.formats: [banner] → []']);
    expect(change('targeting: {}')).to.deep.equal([]);
    expect(change('targeting: null')).to.deep.equal([
      'targeting.formats: [banner] → []',
      'targeting.languages: [en, pt-BR] → []',
    ]);
  });

  it('sets a frequency cap as a whole', () => {
    expect(detailsOf(campaignWith('frequency_cap: { count: 2, period: day }'))).to.deep.equal([
      'frequency_cap: null → 2 per day',
    ]);
  });

  it('does not need the required fields of an object that exists', () => {
    expect(judge(campaignWith('status: paused'), stored).faults).to.deep.equal([]);
  });

  it('refuses an interval that becomes empty together with a stored field', () => {
    expect(judge(campaignWith('ends_at: 2025-12-31T00:00:00Z'), stored).faults).to.deep.equal([
      'advertisers[0].campaigns[0].ends_at: starts_at 2026-01-01T00:00:00Z must be before ends_at 2025-12-31T00:00:00Z',
    ]);
  });

  it('refuses to move an object to another parent', () => {
    const text = 'advertisers: [{ id: adv_other, name: O, campaigns: [{ id: cmp_spring }] }]';
    expect(judge(text, stored).faults).to.deep.equal([
      'advertisers[0].campaigns[0].id: campaign cmp_spring belongs to adv_northwind and cannot move to adv_other',
    ]);
  });

  it('refuses to change the format of a creative or placement', () => {
    const creative = campaignWith('creatives: [{ id: cr_spring_banner, format: rewarded }]');
    expect(judge(creative, stored).faults).to.deep.equal([
      'advertisers[0].campaigns[0].creatives[0].format: cannot change from banner to rewarded',
    ]);
    const placement =
      'publishers: [{ id: pub_sunrise, apps: [{ id: app_sunrise_puzzle, placements: [{ code: home_banner, format: rewarded }] }] }]';
    expect(judge(placement, stored).faults).to.deep.equal([
      'publishers[0].apps[0].placements[0].format: cannot change from banner to rewarded',
    ]);
  });

  it('refuses the app key of a stored app, and lets two apps exchange theirs', () => {
    const app = (id: string, key: string) =>
      `{ id: ${id}, app_key: app_${key.repeat(24)}, package_name: com.a, name: A }`;
    const file = (...apps: readonly string[]) =>
      `publishers: [{ id: pub_a, name: A, revenue_share: 0, apps: [${apps.join(', ')}] }]`;
    const two = storedAfter(judge(file(app('app_a', 'a'), app('app_b', 'b'))).changes);
    expect(judge(file(app('app_a', 'b')), two).faults).to.deep.equal([
      'publishers[0].apps[0].app_key: is already the key of app app_b',
    ]);
    expect(judge(file(app('app_a', 'b'), app('app_b', 'a')), two).faults).to.deep.equal([]);
    expect(judge(file(app('app_a', 'b')), two, true).faults, 'the other one is pruned').to.deep.equal([]);
  });

  it('keeps the opening balance and adds a note', () => {
    const { changes, notes } = judge('advertisers: [{ id: adv_northwind, balance: 900 }]', stored);
    expect(changes).to.deep.equal([]);
    expect(notes).to.have.length(1);
    expect(notes[0]).to.match(
      /^advertisers\[0\]\.balance: stays 500\.00, .* placard advertiser deposit adv_northwind/,
    );
  });
});

describe('pruning', () => {
  it('removes objects that the sections of the file do not name, and their children', () => {
    expect(inWords(judge('publishers: []', stored, true).changes)).to.deep.equal([
      'removed publisher pub_sunrise',
      'removed app app_sunrise_puzzle',
      'removed placement app_sunrise_puzzle/home_banner',
    ]);
  });

  it('does not change sections that the file does not have', () => {
    expect(judge('{}', stored, true).changes).to.deep.equal([]);
    expect(judge('publishers: [{ id: pub_sunrise }]', stored, true).changes).to.deep.equal([]);
    expect(
      inWords(judge('advertisers: [{ id: adv_northwind, campaigns: [] }]', stored, true).changes),
    ).to.deep.equal(['removed campaign cmp_spring', 'removed creative cr_spring_banner']);
  });

  it('removes nothing unless it is asked for', () => {
    expect(judge('publishers: []\nadvertisers: []', stored).changes).to.deep.equal([]);
  });

  it('never removes the global switch', () => {
    expect(
      judge('publishers: []', storedAfter(judge('global: { serving_enabled: false }').changes), true).changes,
    ).to.deep.equal([]);
  });
});
