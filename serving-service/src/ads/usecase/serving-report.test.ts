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
import {
  BATCH_ROWS_MAX,
  LOSS_ROWS_MIN,
  OPEN_ROWS_MAX,
  ServingReport,
  type CountedFill,
  type CountedRequest,
} from './serving-report.js';

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

function at(atMs: number, overrides: Partial<CountedRequest> = {}): CountedRequest {
  return { atMs, noFillReason: null, versions: { appVersion: null, sdkVersion: null }, ...overrides };
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
    report.countRequest(PLACE, at(NOON));
    report.countRequest(PLACE, at(NOON + 1));
    report.countRequest({ ...PLACE, country: 'DE' }, at(NOON, { noFillReason: 'frequency_capped' }));
    report.countRequest(PLACE, at(NOON, { versions: { appVersion: '3.2', sdkVersion: null } }));
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
    expect(
      requests?.requests.map((row) => [row.country, row.noFillReason, row.appVersion, row.count]),
    ).to.eql([
      [null, null, null, 2],
      ['DE', 'frequency_capped', null, 1],
      [null, null, '3.2', 1],
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
    for (let n = 0; n < OPEN_ROWS_MAX + 5; n += 1) report.countRequest(PLACE, at(n * 3_600_000));
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

  it('sends lost requests bit by bit, those that wait longest first, and all of them at the end', async () => {
    const receiver = new Receiver();
    const report = new ServingReport(receiver);
    const lose = (from: number, to: number): void => {
      for (let n = from; n < to; n += 1) {
        const campaignId = asCampaignId(`cmp_${n}`);
        report.losses.add({ atMs: NOON, campaignId, step: 'country', rival: null }, 100);
      }
    };
    const sent = () => receiver.batches.flatMap(({ losses }) => losses);
    lose(0, 3 * LOSS_ROWS_MIN);
    await report.flush();
    expect(sent(), 'of few').to.have.length(LOSS_ROWS_MIN);
    expect(sent()[0]?.campaignId).to.equal('cmp_0');
    const many = 100 * LOSS_ROWS_MIN;
    lose(LOSS_ROWS_MIN, many);
    const waiting = report.waitingRows;
    await report.flush();
    expect(sent().length - LOSS_ROWS_MIN, 'of many').to.equal(Math.ceil(waiting / 60));
    expect(sent()[LOSS_ROWS_MIN], 'what waited has added up').to.include({ requests: 200, samples: 2 });
    await report.end();
    expect(sent()).to.have.length(many);
    expect(Math.max(...receiver.batches.map(({ losses }) => losses.length))).to.equal(BATCH_ROWS_MAX);
    expect(report.waitingRows).to.equal(0);
  });
});
