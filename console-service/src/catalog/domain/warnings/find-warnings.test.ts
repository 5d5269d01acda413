import { expect } from 'chai';
import { EXAMPLE, exampleWith } from '../../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../../test/support/judge.js';
import { readHere } from '../../file/read-here.js';
import type { StoredObject } from '../catalog-object.js';
import { findWarnings, type WarningFacts } from './find-warnings.js';

const NOW_MS = Date.UTC(2026, 4, 1);
const CAMPAIGN = 'advertisers[0].campaigns[0]';

function warningsOf(
  text: string,
  stored: readonly StoredObject[] = [],
  facts: Partial<WarningFacts> = {},
): readonly string[] {
  const { file } = readHere(text);
  const { changes, faults } = judge(text, stored);
  expect(faults).to.deep.equal([]);
  return findWarnings(file!, {
    stored,
    changes,
    siblings: stored,
    fundedNanos: () => 1n,
    isUsedUp: () => false,
    areAppsKnown: true,
    nowMs: NOW_MS,
    ...facts,
  });
}

/** The warnings of the example with one piece replaced. */
const withPiece = (piece: string, replacement: string): readonly string[] =>
  warningsOf(exampleWith(piece, replacement));

describe('the warnings of a catalog file', () => {
  it('are none for a campaign that can deliver', () => {
    expect(warningsOf(EXAMPLE)).to.deep.equal([]);
  });

  it('name a campaign that is over', () => {
    expect(withPiece('ends_at: null', 'ends_at: 2026-05-01T00:00:00Z')).to.deep.equal([
      `${CAMPAIGN}.ends_at: 2026-05-01T00:00:00Z is in the past, so the campaign never delivers`,
    ]);
    expect(withPiece('ends_at: null', 'ends_at: 2026-05-01T00:00:00.001Z')).to.deep.equal([]);
  });

  it('name an app that is not in the catalog', () => {
    const text = exampleWith('app_ids: []', 'app_ids: [app_sunrise_puzzle, app_x]');
    const warning = `${CAMPAIGN}.targeting.app_ids: app_x is not in the catalog, so no request matches it`;
    expect(warningsOf(text)).to.deep.equal([warning]);
    const [, advertisers = ''] = text.split('\nadvertisers:');
    const alone = `advertisers:${advertisers}`;
    expect(warningsOf(alone), 'no app is stored').to.have.length(2);
    expect(warningsOf(alone, [], { areAppsKnown: false }), 'a file without apps, offline').to.deep.equal([
      'file: lists no app, so the targeted app ids are not checked; apply checks them',
    ]);
    const untargeted = alone.replace('[app_sunrise_puzzle, app_x]', '[]');
    expect(warningsOf(untargeted, [], { areAppsKnown: false }), 'no app is targeted').to.deep.equal([]);
    expect(warningsOf(text, [], { areAppsKnown: false }), 'a file with apps, offline').to.deep.equal([
      warning,
    ]);
  });

  it('name a campaign without creatives, and one without an approved creative', () => {
    const minimal =
      'advertisers: [{ id: adv_a, name: A, approved: true, campaigns: [{ id: cmp_a, name: A, bid_cpm: 1 }] }]';
    expect(warningsOf(minimal)).to.deep.equal([
      `${CAMPAIGN}.creatives: has none, so the campaign never delivers`,
    ]);
    expect(
      withPiece('height: 50\n            duration_seconds: null\n            approved: true', 'height: 50'),
    ).to.deep.equal([`${CAMPAIGN}.creatives: has none that is approved, so the campaign does not deliver`]);
  });

  it('name a targeted format without an approved creative', () => {
    expect(withPiece('formats: []', 'formats: [banner, rewarded]')).to.deep.equal([
      `${CAMPAIGN}.targeting.formats: has rewarded, and no approved creative has that format`,
    ]);
  });

  it('name a budget that pays for no impression', () => {
    expect(withPiece('budget_total: 200.00', 'budget_total: 0.002499999')).to.deep.equal([
      `${CAMPAIGN}.budget_total: 0.002499999 pays for no impression at bid_cpm 2.50, so the campaign never delivers`,
    ]);
    expect(withPiece('budget_total: 200.00', 'budget_total: 0.0025')).to.deep.equal([]);
    expect(withPiece('budget_daily: 20.00', 'budget_daily: 0.001')).to.deep.equal([
      `${CAMPAIGN}.budget_daily: 0.001 pays for no impression at bid_cpm 2.50, so the campaign never delivers`,
    ]);
  });

  it('name a daily budget that is too small to be spread over the day', () => {
    const text = exampleWith('budget_daily: 20.00', 'budget_daily: 0.2499');
    expect(warningsOf(text)).to.deep.equal([
      `${CAMPAIGN}.budget_daily: 0.2499 pays for 99 impressions; below 100 it is not spread over the day`,
    ]);
    expect(warningsOf(text.replace('pacing: even', 'pacing: asap'))).to.deep.equal([]);
    expect(withPiece('budget_daily: 20.00', 'budget_daily: 0.25')).to.deep.equal([]);
  });

  it('name a cap per day, of a campaign and of a placement, because sessions are shorter', () => {
    const reason =
      'frequency_cap.period: is day, and no session lives longer than a day: the cap counts per session';
    expect(withPiece('frequency_cap: null', 'frequency_cap: { count: 3, period: day }')).to.deep.equal([
      `${CAMPAIGN}.${reason}`,
    ]);
    expect(withPiece('count: 3, period: session', 'count: 3, period: day')).to.deep.equal([
      `publishers[0].apps[0].placements[0].${reason}`,
    ]);
    expect(withPiece('count: 3, period: session', 'count: 3, period: hour')).to.deep.equal([]);
  });

  it('name a video that is called an image, and an image that is called a video', () => {
    const creative = `${CAMPAIGN}.creatives[0].type`;
    expect(withPiece('spring-320x50.png', 'spring.MP4?v=1.png')).to.deep.equal([
      `${creative}: is image, and https://cdn.example.com/spring.MP4 looks like a video`,
    ]);
    expect(withPiece('type: image', 'type: video')).to.deep.equal([
      `${creative}: is video, and https://cdn.example.com/spring-320x50.png looks like an image`,
    ]);
  });

  it('name an advertiser that is not approved, and one without money', () => {
    expect(withPiece('name: Northwind\n    approved: true', 'name: Northwind')).to.deep.equal([
      'advertisers[0].approved: is false, so no campaign of adv_northwind delivers',
    ]);
    expect(warningsOf(EXAMPLE, [], { fundedNanos: () => 0n })).to.deep.equal([
      'advertisers[0].balance: nothing is paid in, so no campaign of adv_northwind delivers; ' +
        'use: placard advertiser deposit adv_northwind AMOUNT --reference REF',
    ]);
    expect(warningsOf(EXAMPLE, [], { fundedNanos: () => undefined })).to.deep.equal([]);
  });

  it('name an advertiser whose balance is used up, also one without campaigns in the file', () => {
    const warning =
      'advertisers[0].balance: is used up, or will be within two hours; ' +
      'use: placard advertiser deposit adv_northwind AMOUNT --reference REF';
    expect(warningsOf(EXAMPLE, [], { isUsedUp: () => true })).to.deep.equal([warning]);
    const stored = storedAfter(judge(EXAMPLE).changes);
    const alone = 'advertisers: [{ id: adv_northwind, name: N }]';
    expect(warningsOf(alone, stored, { isUsedUp: () => true })).to.deep.equal([warning]);
  });

  it('name a new object whose id looks like a stored one beside it', () => {
    const stored = storedAfter(judge(EXAMPLE).changes);
    const file = (id: string) =>
      exampleWith('id: cmp_spring\n', `id: ${id}\n`).replace('cr_spring_banner', 'cr_other');
    expect(warningsOf(file('cmp_sprin'), stored)).to.deep.equal([
      `${CAMPAIGN}.id: cmp_sprin is new and looks like the stored campaign cmp_spring`,
    ]);
    expect(warningsOf(file('cmp_autumn'), stored)).to.deep.equal([]);
    const placement = exampleWith('code: home_banner', 'code: home_baner');
    expect(warningsOf(placement, stored)).to.deep.equal([
      'publishers[0].apps[0].placements[0].code: home_baner is new and looks like the stored placement home_banner',
    ]);
    expect(warningsOf(EXAMPLE, stored), 'nothing is new').to.deep.equal([]);
  });

  it('are about what the file and the stored catalog make together', () => {
    const stored = storedAfter(judge(EXAMPLE).changes);
    const file = (fields: string) =>
      `advertisers: [{ id: adv_northwind, campaigns: [{ id: cmp_spring, ${fields} }] }]`;
    expect(warningsOf(file('bid_cpm: 3'), stored), 'the stored creative is approved').to.deep.equal([]);
    expect(warningsOf(file('creatives: [{ id: cr_spring_banner, approved: false }]'), stored)).to.deep.equal([
      `${CAMPAIGN}.creatives: has none that is approved, so the campaign does not deliver`,
    ]);
  });

  it('are none for a campaign that has ended', () => {
    expect(
      warningsOf(
        exampleWith('status: active', 'status: ended').replace('formats: []', 'formats: [rewarded]'),
      ),
    ).to.deep.equal([]);
  });
});
