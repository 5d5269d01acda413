import { expect } from 'chai';
import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import { HOUR_MS, MINUTE_MS } from '@placard/service-kit/pure';
import { count, outcomeOf } from './support/outcomes.js';
import { openRunning, type Running } from './support/running.js';
import { aCampaign } from './support/world.js';

const COST = 2_500_000n;
const EVENING = Date.UTC(2026, 4, 1, 20);

describe('the pace of a running serving-service', () => {
  let running: Running | null = null;
  afterEach(async () => {
    await running?.close();
    running = null;
  });

  /** The fills of 60 requests in one minute, one hour into the plan of a campaign of 1,000 impressions a day. */
  async function fillsAfterAnHour(options: Parameters<typeof openRunning>[0]): Promise<number> {
    running = await openRunning({
      catalog: { campaigns: [aCampaign({ budgetDailyNanos: 1_000n * COST })] },
      ...options,
    });
    const { ask, clock } = running;
    clock.set(EVENING);
    while (outcomeOf(await ask()) === 'fill') continue;
    clock.set(EVENING + HOUR_MS - MINUTE_MS);
    // A refused campaign is tried again within a second.
    while (outcomeOf(await ask()) !== 'fill') continue;
    return count(await Promise.all(Array.from({ length: 60 }, () => ask())), 'fill');
  }

  /** All of the day's traffic between 20:30 and 21:00. */
  const shares = Array.from({ length: 48 }, (_, at) => (at === 41 ? 1 : 0));
  const curve = {
    appCategory: 'games',
    format: AdFormat.BANNER,
    requestsPerDay: 10_000,
    shares,
    isProven: true,
  };

  it('follows a straight line without learned traffic', async () => {
    expect(await fillsAfterAnHour({})).to.be.below(30);
  });

  it('follows the learned days of traffic, which it fetches when it starts', async () => {
    expect(await fillsAfterAnHour({ curves: [curve] })).to.equal(60);
    expect(await running?.scrape('placard_serving_traffic_groups_proven')).to.match(/proven 1$/m);
  });

  it('ignores invalid days of traffic', async () => {
    const broken = [
      { ...curve, shares: [1] },
      { ...curve, format: AdFormat.UNSPECIFIED },
      // Of a newer release. Contract: docs/contract/newer-values.md#between-services.
      { ...curve, format: 999 as AdFormat },
      { ...curve, requestsPerDay: Number.NaN },
    ];
    expect(await fillsAfterAnHour({ curves: broken })).to.be.below(30);
  });
});
