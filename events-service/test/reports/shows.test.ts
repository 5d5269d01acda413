import { HOUR_MS, asAppId, hourOf, minuteOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { makeSettlementMetrics } from '../../src/metrics.js';
import { openShowStore } from '../../src/reports/store/shows.pg.js';
import { makeWatchShows } from '../../src/reports/usecase/watch-shows.js';
import { AD_TTL_MS, openBed, openStores, send, type Bed } from '../support/bed.js';

describe('the shown share of fills', () => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await openBed();
    bed.clock.set(hourOf(Date.now()) * HOUR_MS);
  });
  afterEach(() => bed.drop());

  const sell = async (appId: string, count: number, atMs = bed.clock.now()): Promise<void> => {
    const { publisherId, placement, format, advertiserId, campaignId, creativeId } = bed.fill();
    const ids = { publisherId, placement, format, advertiserId, campaignId, creativeId, country: 'DE' };
    const fill = { ...ids, appId: asAppId(appId), minute: minuteOf(atMs), count: BigInt(count) };
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: `${appId} ${atMs}`, sequence: 1n },
      requests: [],
      fills: [{ ...fill, reservedNanos: 1n, expiresAtMs: atMs + AD_TTL_MS }],
      traffic: [],
      losses: [],
    });
  };
  const show = async (appId: string): Promise<void> => {
    // The database uses its own clock.
    const claims = bed.fill({ appId: asAppId(appId), expiresAtMs: Date.now() + HOUR_MS });
    expect(await send(bed.instance(), 'impression', claims)).to.equal('accepted');
    await bed.settle();
  };

  it('is shown by app for this and the previous hour, also when nothing is shown', async () => {
    await sell('app_honest', 4);
    await sell('app_honest', 2, bed.clock.now() - HOUR_MS);
    await sell('app_honest', 100, bed.clock.now() - HOUR_MS - 1);
    await sell('app_held', 90);
    await show('app_honest');
    const registry = new Registry();
    const metrics = makeSettlementMetrics(registry);
    metrics.shows([{ app: asAppId('app_gone'), fills: 1n, impressions: 1n }]);
    await makeWatchShows({ shows: openShowStore(bed.pool), clock: bed.clock, onShows: metrics.shows })();
    const lines = (await registry.metrics()).split('\n').filter((line) => /^placard_recent_/.test(line));
    expect(lines).to.have.members([
      'placard_recent_fills{app="app_held"} 90',
      'placard_recent_fills{app="app_honest"} 6',
      'placard_recent_impressions{app="app_held"} 0',
      'placard_recent_impressions{app="app_honest"} 1',
    ]);
  });

  it('names the apps with most fills and sums the others', async () => {
    for (const [app, count] of Object.entries({ app_a: 1, app_b: 5, app_c: 2, app_d: 9 }))
      await sell(app, count);
    await show('app_a');
    expect(await openShowStore(bed.pool).since(bed.clock.now(), 2)).to.deep.equal([
      { app: 'app_d', fills: 9n, impressions: 0n },
      { app: 'app_b', fills: 5n, impressions: 0n },
      { app: 'other', fills: 3n, impressions: 1n },
    ]);
  });
});
