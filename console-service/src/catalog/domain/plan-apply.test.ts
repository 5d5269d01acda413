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
    const older = stored.map((object) => ({
      ...object,
      fields: Object.fromEntries(Object.entries(object.fields).filter(([name]) => name !== 'name')),
    }));
    expect(
      judge(campaignWith('status: paused'), older).faults,
      'stored before the field existed',
    ).to.deep.equal([]);
  });

  it('refuses an interval that becomes empty together with a stored field', () => {
    expect(judge(campaignWith('ends_at: 2025-12-31T00:00:00Z'), stored).faults).to.deep.equal([
      'advertisers[0].campaigns[0].ends_at: starts_at 2026-01-01T00:00:00Z must be before ends_at 2025-12-31T00:00:00Z',
    ]);
  });

  it('refuses an interval of no length, and names the end that the file gives', () => {
    const refused = (...lines: readonly string[]) => judge(campaignWith(...lines), stored).faults;
    const said = 'starts_at 2026-01-01T00:00:00Z must be before ends_at 2026-01-01T00:00:00Z';
    expect(refused('ends_at: 2026-01-01T00:00:00Z')).to.deep.equal([
      `advertisers[0].campaigns[0].ends_at: ${said}`,
    ]);
    expect(refused('ends_at: 2026-01-01T00:00:00Z', 'starts_at: 2026-01-01T00:00:00Z')).to.deep.equal([
      `advertisers[0].campaigns[0].starts_at: ${said}`,
    ]);
    expect(refused('ends_at: 2026-01-01T00:00:00.001Z')).to.deep.equal([]);
    expect(refused('ends_at: 2025-12-31T00:00:00Z', 'starts_at: null')).to.deep.equal([]);
  });

  it('refuses a video that becomes an image and keeps its length', () => {
    const video = storedAfter(
      judge(
        exampleWith('duration_seconds: null', 'duration_seconds: 15').replace('type: image', 'type: video'),
      ).changes,
    );
    const creative = (fields: string) => campaignWith(`creatives: [{ id: cr_spring_banner, ${fields} }]`);
    expect(judge(creative('type: image'), video).faults).to.deep.equal([
      'advertisers[0].campaigns[0].creatives[0].duration_seconds: is for videos only; leave it out or write null',
    ]);
    expect(judge(creative('type: image, duration_seconds: null'), video).faults).to.deep.equal([]);
    expect(judge(creative('duration_seconds: 20'), video).faults).to.deep.equal([]);
  });

  it('lists everything that changes in an object, in the order of the file format', () => {
    const { changes } = judge(campaignWith('budget_daily: 30', 'name: Sale', 'countries: [de, US]'), stored);
    const before = stored.find(({ kind }) => kind === 'campaign')?.fields;
    expect(changes).to.deep.equal([
      {
        action: 'updated',
        kind: 'campaign',
        id: 'cmp_spring',
        parentId: 'adv_northwind',
        before,
        after: { ...before, budget_daily: '30.00', name: 'Sale', countries: ['DE', 'US'] },
        details: ['name: Spring sale → Sale', 'budget_daily: 20.00 → 30.00', 'countries: [] → [DE, US]'],
      },
    ]);
  });

  it('creates what is new, parents before their children, with what the file gives and the defaults', () => {
    const { changes } = judge(
      'advertisers: [{ id: adv_b, name: B, campaigns: [{ id: cmp_b, name: C, bid_cpm: 1 }] }]',
    );
    expect(inWords(changes)).to.deep.equal(['created advertiser adv_b', 'created campaign cmp_b']);
    expect(changes[0]).to.deep.equal({
      action: 'created',
      kind: 'advertiser',
      id: 'adv_b',
      parentId: null,
      before: null,
      after: { name: 'B', approved: false, balance: '0.00' },
      details: [],
    });
    expect(changes[1]?.parentId).to.equal('adv_b');
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
    expect(judge(file(app('app_a', 'a')), two).faults, 'its own key').to.deep.equal([]);
  });

  it('keeps the opening balance and adds a note', () => {
    const { changes, notes } = judge('advertisers: [{ id: adv_northwind, balance: 900 }]', stored);
    expect(changes).to.deep.equal([]);
    expect(notes).to.have.length(1);
    expect(notes[0]).to.equal(
      'advertisers[0].balance: stays 500.00, the opening balance is credited once; ' +
        'for more funds use: placard advertiser deposit adv_northwind AMOUNT --reference REF',
    );
    expect(judge('advertisers: [{ id: adv_northwind, balance: "500" }]', stored).notes).to.deep.equal([]);
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

  it('says what was removed, without what replaces it', () => {
    const { changes } = judge('advertisers: []', stored, true);
    const [advertiser] = stored.filter(({ kind }) => kind === 'advertiser');
    expect(changes[0]).to.deep.equal({
      action: 'removed',
      kind: 'advertiser',
      id: 'adv_northwind',
      parentId: null,
      before: advertiser?.fields,
      after: null,
      details: [],
    });
  });

  it('removes parents before their children, whatever the order in which they are stored, after all other changes', () => {
    const text = 'publishers: []\nadvertisers: [{ id: adv_b, name: B }]';
    expect(inWords(judge(text, [...stored].reverse(), true).changes)).to.deep.equal([
      'created advertiser adv_b',
      'removed advertiser adv_northwind',
      'removed publisher pub_sunrise',
      'removed campaign cmp_spring',
      'removed app app_sunrise_puzzle',
      'removed creative cr_spring_banner',
      'removed placement app_sunrise_puzzle/home_banner',
    ]);
  });

  it('never removes the global switch', () => {
    expect(
      judge('publishers: []', storedAfter(judge('global: { serving_enabled: false }').changes), true).changes,
    ).to.deep.equal([]);
  });
});
