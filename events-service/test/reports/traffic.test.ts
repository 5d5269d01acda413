import { DAY_MS, HOUR_MS, dayOf, type AdFormat } from '@placard/service-kit/pure';
import { expect } from 'chai';
import type { TrafficCount } from '../../src/reports/store/counts.js';
import { openTrafficStore } from '../../src/traffic/store/traffic.pg.js';
import { makeGetTrafficCurves } from '../../src/traffic/usecase/get-traffic-curves.js';
import { makeLearnTraffic, SETTLED_AFTER_MS } from '../../src/traffic/usecase/learn-traffic.js';
import { makeReportServing } from '../../src/reports/usecase/report-serving.js';
import { openBed, openStores, type Bed } from '../support/bed.js';

const HALF_HOUR_MS = HOUR_MS / 2;
const MIDNIGHT = Date.UTC(2026, 4, 15);

function traffic(
  atMs: number,
  requests: number,
  category = 'games',
  format: AdFormat = 'banner',
): TrafficCount {
  return { halfHour: Math.floor(atMs / HALF_HOUR_MS), category, format, requests: BigInt(requests) };
}

describe('learned traffic', () => {
  let bed: Bed;
  let sequence = 0n;
  beforeEach(async () => {
    bed = await openBed();
    bed.clock.set(MIDNIGHT + SETTLED_AFTER_MS);
  });
  afterEach(() => bed.drop());

  const report = (counts: readonly TrafficCount[], name = (sequence += 1n)) =>
    makeReportServing(openStores(bed.pool).counts)({
      name: { reporterId: 'replica', sequence: name },
      requests: [],
      fills: [],
      traffic: counts,
      losses: [],
    });
  /** Another worker. */
  const worker = () => makeLearnTraffic({ traffic: openTrafficStore(bed.pool), clock: bed.clock });
  const curves = () => makeGetTrafficCurves(openTrafficStore(bed.pool))();

  /** Adds the same requests at the same hour of each of the `count` days before the clock's. */
  async function days(count: number, hour: number, requests: number, category = 'games'): Promise<void> {
    const back = Array.from({ length: count }, (_, at) => MIDNIGHT - (at + 1) * DAY_MS + hour * HOUR_MS);
    await report(back.map((atMs) => traffic(atMs, requests, category)));
  }

  it('does not exist before the first whole day is over', async () => {
    await report([traffic(MIDNIGHT - HOUR_MS, 100)]);
    await worker()();
    expect(await curves()).to.eql([]);
  });

  it('leaves out today and a group’s first day, whose traffic may have begun at any hour', async () => {
    await days(2, 12, 1_000);
    await report([traffic(MIDNIGHT - 2 * DAY_MS + 20 * HOUR_MS, 9_000), traffic(MIDNIGHT, 9_000)]);
    await worker()();
    const [curve] = await curves();
    expect(curve).to.include({ category: 'games', format: 'banner', requestsPerDay: 1_000, isProven: false });
    expect(curve?.shares[24]).to.be.closeTo(1 / 3 + 2 / 3 / 48, 1e-9);
  });

  it('adds up what replicas report, each report once', async () => {
    await days(2, 12, 10);
    const more = [traffic(MIDNIGHT - HOUR_MS, 5), traffic(MIDNIGHT - HOUR_MS, 6)];
    await report(more, 900n);
    await report(more, 900n);
    await worker()();
    expect((await curves())[0]?.requestsPerDay).to.equal(21);
  });

  it('looks back 14 days and is proven when the days are alike', async () => {
    await days(16, 12, 1_000);
    await report([traffic(MIDNIGHT - 15 * DAY_MS, 50_000)]);
    await worker()();
    expect((await curves())[0]).to.include({ requestsPerDay: 1_000, isProven: true });
  });

  it('lists the groups with most requests first', async () => {
    await days(3, 12, 10, '');
    await days(3, 12, 1_000, 'news');
    await worker()();
    expect((await curves()).map(({ category }) => category)).to.eql(['news', '']);
  });

  it('is learned once a day by one of several workers, ten minutes after midnight', async () => {
    await days(3, 12, 10);
    const store = openTrafficStore(bed.pool);
    const day = dayOf(MIDNIGHT);
    const won = await Promise.all([1, 2, 3].map(() => store.learn(day, () => [])));
    expect(won.filter((isMine) => isMine)).to.have.length(1);
    const learn = worker();
    await learn();
    expect(await curves()).to.eql([]);
    bed.clock.set(MIDNIGHT + DAY_MS + SETTLED_AFTER_MS - 1);
    await learn();
    expect(await curves()).to.eql([]);
    bed.clock.advance(1);
    await learn();
    expect(await curves()).to.have.length(1);
  });

  it('drops counts that are older than 30 days', async () => {
    await days(40, 12, 10);
    await worker()();
    const { rows } = await bed.pool.query<{ kept: bigint }>(
      'SELECT count(*) AS kept FROM stats.traffic_half_hour',
    );
    expect(rows[0]?.kept).to.equal(30n);
  });

  it('keeps yesterday’s curves when learning fails', async () => {
    await days(3, 12, 10);
    await worker()();
    const store = openTrafficStore(bed.pool);
    const failure = await store
      .learn(dayOf(MIDNIGHT) + 1, () => {
        throw new Error('for the test');
      })
      .catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    expect(await curves()).to.have.length(1);
    expect(await store.learn(dayOf(MIDNIGHT) + 1, () => [])).to.equal(true);
  });
});
