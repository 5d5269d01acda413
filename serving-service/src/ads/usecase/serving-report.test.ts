import { expect } from 'chai';
import {
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  minuteOf,
} from '@placard/service-kit/pure';
import type { CountPlace, ServingBatch } from '../../clients/spend-client.js';
import { BATCH_ROWS_MAX, OPEN_ROWS_MAX, ServingReport, type CountedFill } from './serving-report.js';

const NOON = Date.UTC(2026, 4, 1, 12);
const PLACE: CountPlace = {
  publisherId: asPublisherId('pub_a'),
  appId: asAppId('app_a'),
  placement: asPlacementCode('home'),
  format: 'banner',
  country: null,
};

function aFill(filledAtMs: number): CountedFill {
  return {
    campaignId: asCampaignId('cmp_a'),
    advertiserId: asAdvertiserId('adv_a'),
    creativeId: asCreativeId('cr_a'),
    filledAtMs,
  };
}

class Receiver {
  readonly batches: ServingBatch[] = [];
  isDown = false;
  report(batch: ServingBatch): Promise<void> {
    if (this.isDown) return Promise.reject(new Error('down'));
    this.batches.push(batch);
    return Promise.resolve();
  }
}

describe('the report of requests and fills', () => {
  it('adds up counts with the same keys and numbers its batches from 1', async () => {
    const receiver = new Receiver();
    const report = new ServingReport(receiver);
    report.countRequest(PLACE, NOON, null);
    report.countRequest(PLACE, NOON + 1, null);
    report.countRequest({ ...PLACE, country: 'DE' }, NOON, 'frequency_capped');
    report.countFill(PLACE, aFill(NOON));
    report.countFill(PLACE, aFill(NOON + 59_999));
    report.countFill(PLACE, aFill(NOON + 60_000));
    await report.flush();
    const [fills, requests] = receiver.batches;
    expect(receiver.batches.map(({ sequence }) => sequence)).to.eql([1, 2]);
    expect(fills?.fills.map((row) => [row.count, row.minute])).to.eql([
      [2, minuteOf(NOON)],
      [1, minuteOf(NOON) + 1],
    ]);
    expect(requests?.requests.map((row) => [row.country, row.noFillReason, row.count])).to.eql([
      [null, null, 2],
      ['DE', 'frequency_capped', 1],
    ]);
  });

  it('sends nothing when nothing was counted', async () => {
    const receiver = new Receiver();
    await new ServingReport(receiver).flush();
    expect(receiver.batches).to.eql([]);
  });

  it('sends a batch with the same number until it is acknowledged, and then the later counts', async () => {
    const receiver = new Receiver();
    const report = new ServingReport(receiver);
    receiver.isDown = true;
    report.countFill(PLACE, aFill(NOON));
    const failures = [report.flush(), report.flush()].map((flush) => flush.catch(() => 'failed'));
    expect(await Promise.all(failures)).to.eql(['failed', 'failed']);
    report.countFill(PLACE, aFill(NOON));
    receiver.isDown = false;
    await report.flush();
    expect(receiver.batches.map(({ sequence, fills }) => [sequence, fills[0]?.count])).to.eql([
      [1, 1],
      [2, 1],
    ]);
    expect(report.waitingRows).to.equal(0);
  });

  it('sends in a flush all earlier counts, even while another flush runs', async () => {
    const receiver = new Receiver();
    const report = new ServingReport(receiver);
    report.countFill(PLACE, aFill(NOON));
    const first = report.flush();
    report.countFill(PLACE, aFill(NOON));
    await report.flush();
    await first;
    const total = receiver.batches.flatMap(({ fills }) => fills).reduce((sum, row) => sum + row.count, 0);
    expect(total).to.equal(2);
  });

  it('limits its batches and its memory, and reports the dropped counts', async () => {
    const receiver = new Receiver();
    let dropped = 0;
    const report = new ServingReport(receiver, () => (dropped += 1));
    for (let n = 0; n < OPEN_ROWS_MAX + 5; n += 1) report.countRequest(PLACE, n * 3_600_000, null);
    expect(dropped).to.equal(5);
    await report.flush();
    expect(receiver.batches).to.have.length(OPEN_ROWS_MAX / BATCH_ROWS_MAX);
  });

  it('counts traffic by half hour, app category and format', async () => {
    const receiver = new Receiver();
    const report = new ServingReport(receiver);
    const half = NOON + 1_800_000;
    for (const atMs of [NOON, half - 1, half])
      report.countTraffic({ category: 'games', format: 'banner' }, atMs);
    report.countTraffic({ category: null, format: 'banner' }, NOON);
    expect(report.waitingRows).to.equal(3);
    await report.flush();
    const rows = receiver.batches.flatMap(({ traffic }) => traffic);
    expect(
      rows.map(({ halfHour, category, count }) => [halfHour - NOON / 1_800_000, category, count]),
    ).to.eql([
      [0, 'games', 2],
      [1, 'games', 1],
      [0, null, 1],
    ]);
  });
});
