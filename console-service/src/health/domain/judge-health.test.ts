import {
  DAY_MS,
  HOUR_MS,
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asPlacementCode,
  type Advertiser,
  type Campaign,
  type CatalogObjects,
} from '@placard/service-kit/pure';
import { makeCatalog } from '@placard/service-kit/catalog-reader';
import {
  testAdvertiser,
  testApp,
  testCampaign,
  testCreative,
  testPlacement,
  testPublisher,
} from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Concern } from './concern.js';
import { toConcernRow } from './concern-row.js';
import { noSpend, type DeliveryFacts } from './delivery.js';
import { judgeApps } from './judge-apps.js';
import { judgeCampaigns } from './judge-campaigns.js';

const MIDNIGHT_MS = Date.UTC(2026, 4, 4);
const NOON_MS = MIDNIGHT_MS + 12 * HOUR_MS;
const CAMPAIGN = asCampaignId('cmp_spring');
const ADVERTISER = asAdvertiserId('adv_northwind');
const COST = 1_000_000n;
const BUDGET = 1_000n * COST;

interface Given {
  readonly campaign?: Partial<Campaign>;
  readonly advertiser?: Partial<Advertiser>;
  readonly isCreativeApproved?: boolean;
  readonly spentNanos?: bigint;
  readonly daySpentNanos?: bigint;
  readonly facts?: Partial<DeliveryFacts>;
}

const NOTHING: DeliveryFacts = {
  nowMs: NOON_MS,
  activeSince: new Map(),
  refundedNanos: new Map(),
  spend: new Map(),
  campaigns: new Map(),
  advertisers: new Map(),
  placements: new Map(),
  traffic: [],
  curves: [],
};

/** The concerns about one paced campaign at noon, on a straight line of traffic. */
function judged(given: Given): readonly Concern[] {
  const daySpentNanos = given.daySpentNanos ?? 0n;
  const spend = {
    ...noSpend(ADVERTISER, CAMPAIGN),
    daySpentNanos,
    spentNanos: given.spentNanos ?? daySpentNanos,
  };
  const catalog = makeCatalog({
    advertisers: [testAdvertiser({ fundedNanos: 1_000n * BUDGET, ...given.advertiser })],
    campaigns: [testCampaign({ costNanos: COST, budgetDailyNanos: BUDGET, ...given.campaign })],
    creatives: [testCreative({ campaignId: CAMPAIGN, isApproved: given.isCreativeApproved ?? true })],
  });
  return judgeCampaigns(catalog, { ...NOTHING, spend: new Map([[CAMPAIGN, spend]]), ...given.facts });
}

const shownOf = (concerns: readonly Concern[]) =>
  concerns.map(({ kind, subjectKind, reason }) => [kind, subjectKind, reason]);

const counts = (fills: number, impressions: number, spendNanos = 0n) =>
  new Map([[CAMPAIGN, { fills, impressions, spendNanos }]]);

describe('the concerns about a campaign', () => {
  it('are none while it follows its plan', () => {
    expect(judged({ daySpentNanos: BUDGET / 2n })).to.deep.equal([]);
  });

  it('say that it is behind, with plan, delivery and the likely end of the day', () => {
    const [behind] = judged({ daySpentNanos: BUDGET / 4n });
    expect(behind).to.include({ kind: 'behind', subjectId: CAMPAIGN, reason: 'reach' });
    expect(behind?.figures).to.include({
      budgetNanos: BUDGET,
      deliveredNanos: BUDGET / 4n,
      projectedNanos: BUDGET / 2n,
    });
    // An unproven curve: the plan runs 25 % ahead of it.
    expect(Number(behind?.figures.planNanos) / Number(BUDGET)).to.be.closeTo(0.625, 0.01);
    expect(toConcernRow(behind!, NOON_MS)).to.deep.include({
      since: '2026-05-04T12:00:00.000Z',
      budget: '1.000000000',
      delivered: '0.250000000',
      projected: '0.500000000',
      detail:
        'The day will probably end at 50 % of its budget: nothing of its own stops it, and no lost request is known.',
    });
  });

  it('count from its start or its anchor, and not from midnight', () => {
    const startsAtMs = MIDNIGHT_MS + 10 * HOUR_MS;
    expect(judged({ campaign: { startsAtMs }, daySpentNanos: BUDGET / 7n })).to.deep.equal([]);
    const anchor = { atMs: startsAtMs, spentNanos: BUDGET / 2n, budgetNanos: BUDGET };
    const spend = { ...noSpend(ADVERTISER, CAMPAIGN), anchor, daySpentNanos: (BUDGET * 55n) / 100n };
    const facts = { spend: new Map([[CAMPAIGN, spend]]) };
    expect(shownOf(judged({ facts }))).to.deep.equal([['behind', 'campaign', 'reach']]);
  });

  it('do not say so while too little of the day has passed', () => {
    expect(judged({ facts: { nowMs: MIDNIGHT_MS + HOUR_MS } })).to.deep.equal([]);
  });

  it('count from the instant when it became active, if that is on this day', () => {
    const active = (atMs: number) => ({ activeSince: new Map([[CAMPAIGN, atMs]]) });
    expect(judged({ facts: active(NOON_MS - 1) })).to.deep.equal([]);
    const daySpentNanos = BUDGET / 7n;
    expect(judged({ daySpentNanos, facts: active(NOON_MS - 2 * HOUR_MS) })).to.deep.equal([]);
    expect(shownOf(judged({ daySpentNanos, facts: active(MIDNIGHT_MS - 1) }))).to.deep.equal([
      ['behind', 'campaign', 'reach'],
    ]);
  });

  const reasons: readonly (readonly [string, Given, string])[] = [
    ['an advertiser without approval', { advertiser: { isApproved: false } }, 'approval'],
    ['no approved creative', { isCreativeApproved: false }, 'creative'],
    ['an empty balance', { advertiser: { fundedNanos: COST - 1n } }, 'balance'],
    ['fills that are not shown', { facts: { campaigns: counts(200, 10) } }, 'not_shown'],
  ];
  for (const [name, given, reason] of reasons) {
    it(`name ${name} as the reason`, () => {
      const behind = judged(given).find(({ kind }) => kind === 'behind');
      expect(behind?.reason).to.equal(reason);
    });
  }

  it('do not say that it is behind when its total budget ends today', () => {
    const given = { campaign: { budgetTotalNanos: BUDGET }, spentNanos: BUDGET, daySpentNanos: COST };
    expect(shownOf(judged(given))).to.deep.equal([['budget_ending', 'campaign', null]]);
  });

  it('say that its total budget ends within three days at the spend of the last day', () => {
    const ends = (leftDays: number, campaign: Partial<Campaign> = {}) =>
      judged({
        campaign: { budgetTotalNanos: 10n * BUDGET, ...campaign },
        spentNanos: 10n * BUDGET - (BUDGET / 10n) * BigInt(leftDays * 10),
        daySpentNanos: BUDGET,
        facts: { campaigns: counts(1_000, 1_000, BUDGET) },
      });
    expect(shownOf(ends(2.9))).to.deep.equal([['budget_ending', 'campaign', null]]);
    expect(ends(2.9)[0]?.figures.daysLeft).to.be.closeTo(2.9, 1e-9);
    expect(ends(3)).to.deep.equal([]);
    expect(ends(2.9, { endsAtMs: NOON_MS + 2 * DAY_MS })).to.deep.equal([]);
  });

  it('say that a campaign without a daily budget had no fill for a day', () => {
    const campaign = { budgetDailyNanos: null };
    expect(shownOf(judged({ campaign }))).to.deep.equal([['behind', 'campaign', 'reach']]);
    expect(judged({ campaign, facts: { campaigns: counts(1, 1) } })).to.deep.equal([]);
    expect(judged({ campaign: { ...campaign, startsAtMs: NOON_MS - HOUR_MS } })).to.deep.equal([]);
    const active = (ageMs: number) => ({ activeSince: new Map([[CAMPAIGN, NOON_MS - ageMs]]) });
    expect(judged({ campaign, facts: active(DAY_MS - 1) })).to.deep.equal([]);
    expect(judged({ campaign, facts: active(DAY_MS) })).to.have.length(1);
  });

  for (const campaign of [
    { status: 'paused' },
    { status: 'ended' },
    { startsAtMs: NOON_MS + 1 },
    { endsAtMs: NOON_MS },
  ] as const) {
    it(`are none for a campaign with ${JSON.stringify(campaign)}`, () => {
      expect(
        judged({ campaign, advertiser: { isApproved: false }, isCreativeApproved: false }),
      ).to.deep.equal([]);
    });
  }
});

describe('the concerns about an advertiser', () => {
  it('say that the balance, after refunds and spend, ends within three days', () => {
    const ends = (fundedNanos: bigint, refunded = 0n) =>
      judged({
        advertiser: { fundedNanos },
        daySpentNanos: BUDGET,
        facts: {
          advertisers: new Map([[ADVERTISER, { fills: 9, impressions: 9, spendNanos: BUDGET }]]),
          refundedNanos: new Map([[ADVERTISER, refunded]]),
        },
      });
    expect(shownOf(ends(4n * BUDGET - 1n))).to.deep.equal([['low_balance', 'advertiser', null]]);
    expect(ends(4n * BUDGET)).to.deep.equal([]);
    expect(shownOf(ends(4n * BUDGET, 1n))).to.deep.equal([['low_balance', 'advertiser', null]]);
  });

  it('say once that an advertiser with campaigns is not approved', () => {
    const concerns = judged({ advertiser: { isApproved: false }, daySpentNanos: BUDGET });
    expect(shownOf(concerns)).to.deep.equal([['not_approved', 'advertiser', 'approval']]);
  });
});

describe('the concerns about apps', () => {
  const APP = testApp();
  const PLACE = testPlacement();
  const apps = (facts: Partial<DeliveryFacts>, objects: Partial<CatalogObjects> = {}) => {
    const all = { publishers: [testPublisher()], apps: [APP], placements: [PLACE], ...objects };
    return judgeApps(makeCatalog(all), all.apps, { ...NOTHING, ...facts });
  };
  const traffic = (requests: number, usual: number, code: string = PLACE.code) => ({
    appId: APP.id,
    placement: asPlacementCode(code),
    requests,
    usual,
  });

  it('are none with usual traffic', () => {
    expect(apps({ traffic: [traffic(30, 100)] })).to.deep.equal([]);
    expect(apps({ traffic: [traffic(0, 49)] })).to.deep.equal([]);
  });

  it('say that the traffic of an app collapsed, once for all its placements', () => {
    expect(apps({ traffic: [traffic(29, 100)] })).to.have.length(1);
    expect(apps({ traffic: [traffic(29, 100)] })[0]).to.deep.include({
      kind: 'traffic_collapsed',
      subjectKind: 'app',
      subjectId: APP.id,
    });
  });

  it('name the placement when the rest of the app has its traffic', () => {
    const placements = [PLACE, testPlacement({ code: 'other' })];
    const [found] = apps({ traffic: [traffic(0, 60), traffic(900, 900, 'other')] }, { placements });
    expect(found).to.include({ subjectKind: 'placement', subjectId: `${APP.id}/${PLACE.code}` });
  });

  it('leave out what is no longer in the catalog', () => {
    const gone = { ...traffic(0, 100), appId: asAppId('gone') };
    const placements = new Map([['gone/home', { fills: 500, impressions: 0, spendNanos: 0n }]]);
    expect(apps({ traffic: [gone], placements })).to.deep.equal([]);
  });

  it('say that the fills of a placement are not shown', () => {
    const shows = (impressions: number) =>
      apps({
        placements: new Map([[`${APP.id}/${PLACE.code}`, { fills: 100, impressions, spendNanos: 0n }]]),
      });
    expect(shownOf(shows(29))).to.deep.equal([['not_shown', 'placement', null]]);
    expect(shows(30)).to.deep.equal([]);
  });

  it('say that an app or its publisher is not approved, and not that a blocked app is', () => {
    const app = testApp({ isApproved: false });
    const publishers = [testPublisher({ isApproved: false })];
    expect(shownOf(apps({}, { apps: [app], publishers }))).to.deep.equal([
      ['not_approved', 'publisher', 'approval'],
      ['not_approved', 'app', 'approval'],
    ]);
    expect(apps({}, { apps: [{ ...app, isBlocked: true }] })).to.deep.equal([]);
  });
});
