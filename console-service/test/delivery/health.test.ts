import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  asCampaignId,
  asAdvertiserId,
  dayOf,
  type CampaignId,
} from '@placard/service-kit/pure';
import { makeCatalog } from '@placard/service-kit/catalog-reader';
import { makeTestClock, testAdvertiser, testCampaign, testCreative } from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { Delivery } from '../../src/health/clients/delivery.js';
import type { ConcernKind } from '../../src/health/domain/concern.js';
import { noSpend, type CampaignSpend } from '../../src/health/domain/delivery.js';
import { makePgConcernStore } from '../../src/health/store/concerns.pg.js';
import { makeFindConcerns } from '../../src/health/usecase/find-concerns.js';
import { makeGetHealth } from '../../src/health/usecase/get-health.js';
import { makeWatchConcerns } from '../../src/health/usecase/watch-concerns.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const CAMPAIGN = asCampaignId('cmp_spring');
const ADVERTISER = asAdvertiserId('adv_northwind');
const NOON_MS = Date.UTC(2026, 4, 4, 12);
const COST = 1_000_000n;
const BUDGET = 1_000n * COST;

describe('the health of delivery', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase({ migrations: [{ schema: 'catalog', dir: MIGRATIONS }] });
  });
  after(() => db.drop());
  beforeEach(() => db.pool.query('DELETE FROM health.concern'));

  const catalog = makeCatalog({
    advertisers: [testAdvertiser()],
    campaigns: [testCampaign({ costNanos: COST, budgetDailyNanos: BUDGET })],
    creatives: [testCreative({ campaignId: CAMPAIGN })],
  });

  /** Health over what events-service would answer. */
  function openHealth() {
    const clock = makeTestClock(NOON_MS);
    const losses = new Map<string, number>();
    const activeSince = new Map<CampaignId, number>();
    const spend: CampaignSpend[] = [];
    const ranges: unknown[] = [];
    const delivery: Delivery = {
      spend: (day) => Promise.resolve(day === dayOf(clock.now()) ? spend : []),
      traffic: () => Promise.resolve([]),
      curves: () => Promise.resolve([]),
      sold: (range) => {
        ranges.push(range);
        return Promise.resolve([]);
      },
      placed: () => Promise.resolve([]),
    };
    const concerns = makePgConcernStore(db.pool);
    const open: (readonly ConcernKind[])[] = [];
    let notices = 0;
    const findConcerns = makeFindConcerns({
      delivery,
      fetchLosses: (_, range) => {
        ranges.push(range);
        return Promise.resolve(losses);
      },
      readCatalog: () => ({ catalog, apps: [] }),
      readActiveSince: (ids) => {
        expect(ids).to.deep.equal([CAMPAIGN]);
        return Promise.resolve(activeSince);
      },
      readRefunds: () => Promise.resolve(new Map()),
      clock,
    });
    return {
      clock,
      losses,
      activeSince,
      ranges,
      open,
      notices: () => notices,
      spent: (daySpentNanos: bigint) =>
        spend.splice(0, 1, { ...noSpend(ADVERTISER, CAMPAIGN), daySpentNanos, spentNanos: daySpentNanos }),
      get: makeGetHealth({ findConcerns, concerns }),
      watch: makeWatchConcerns({
        findConcerns,
        concerns,
        clock,
        onOpen: (kinds) => open.push(kinds),
        onNotices: () => (notices += 1),
      }),
    };
  }

  it('says since when a concern is known, once the watch has found it', async () => {
    const health = openHealth();
    health.spent(BUDGET / 10n);
    expect((await health.get()).rows[0]).to.include({ kind: 'behind', subject: CAMPAIGN, since: null });
    await health.watch();
    health.clock.advance(MINUTE_MS);
    expect(await health.get()).to.deep.include({ asOfMs: NOON_MS + MINUTE_MS });
    expect((await health.get()).rows[0]).to.include({ since: '2026-05-04T12:00:00.000Z' });
  });

  it('has notices when a concern begins and when it ends, and counts open ones by kind', async () => {
    const health = openHealth();
    health.spent(BUDGET / 10n);
    await health.watch();
    await health.watch();
    expect(health.notices()).to.equal(1);
    health.spent(BUDGET);
    for (let run = 0; run < 3; run += 1) {
      health.clock.advance(5 * MINUTE_MS);
      await health.watch();
    }
    expect(health.notices()).to.equal(2);
    expect(health.open).to.deep.equal([['behind'], ['behind'], [], [], []]);
  });

  it('reads counts of the last 24 whole hours, and lost requests of the present one too', async () => {
    const health = openHealth();
    health.clock.advance(59 * MINUTE_MS);
    await health.get();
    const day = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS };
    expect(health.ranges).to.deep.equal([day, { ...day, toMs: NOON_MS + HOUR_MS }]);
    expect(NOON_MS % HOUR_MS).to.equal(0);
  });

  it('has no concern about a campaign that became active a moment ago', async () => {
    const health = openHealth();
    health.activeSince.set(CAMPAIGN, NOON_MS - MINUTE_MS);
    expect((await health.get()).rows).to.deep.equal([]);
  });

  it('names the step at which a campaign that is behind loses its requests', async () => {
    const health = openHealth();
    health.losses.set('country', 20).set('outbid', 5_000);
    expect((await health.get()).rows[0]).to.include({ kind: 'behind', reason: 'outbid' });
  });
});
