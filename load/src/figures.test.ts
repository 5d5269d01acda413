import { expect } from 'chai';
import {
  clientFigures,
  clientShareOf,
  latencyCurve,
  operationFigures,
  processFigures,
  secondsOf,
  timelineOf,
} from './figures.js';
import { encodeHistogram, makeHistogram, recordMs } from './histogram.js';

/** So many calls of 1 ms, then those of the given lengths. */
function histogramOf(count: number, ...lengthsMs: readonly number[]): string {
  const histogram = makeHistogram();
  for (let call = 0; call < count; call += 1) recordMs(histogram, 1);
  for (const ms of lengthsMs) recordMs(histogram, ms);
  return encodeHistogram(histogram);
}

describe('the figures of a load', () => {
  it('are percentiles of all generators together, up to one call in a thousand', () => {
    const parts = [
      { measuredMs: 2_000, counted: [{ operation: 'click', histogram: histogramOf(998, 50), codes: {} }] },
      { measuredMs: 1_000, counted: [{ operation: 'click', histogram: histogramOf(999, 80), codes: {} }] },
    ] as const;
    const [all, click] = operationFigures(parts);
    expect(all?.count).to.equal(1_999);
    expect(all?.perSecond).to.equal(999.5);
    expect(click?.latency.p50).to.be.closeTo(1, 0.01);
    expect(click?.latency.p90).to.be.closeTo(1, 0.01);
    expect(click?.latency.p99).to.be.closeTo(1, 0.01);
    expect(click?.latency.p999).to.be.closeTo(50, 0.1);
    expect(click?.latency.max).to.be.closeTo(80, 0.1);
    const curve = new Map(latencyCurve(click?.histogram ?? ''));
    expect(curve.get(99.9)).to.be.closeTo(50, 0.1);
  });

  it('count answers by code and operation, and those that good traffic must not get', () => {
    const counted = [
      { operation: 'click', histogram: histogramOf(5), codes: { accepted: 3, duplicate: 2 } },
      { operation: 'click', histogram: histogramOf(1), codes: { accepted: 1 } },
      { operation: 'duplicate', histogram: histogramOf(4), codes: { duplicate: 3, accepted: 1 } },
    ] as const;
    const [all, ...each] = operationFigures([{ measuredMs: 1_000, counted }]);
    expect(each.map(({ name, count, codes, unexpected }) => [name, count, codes, unexpected])).to.deep.equal([
      ['click', 6, { accepted: 4, duplicate: 2 }, 2],
      ['duplicate', 4, { duplicate: 3, accepted: 1 }, 1],
    ]);
    expect([all?.name, all?.count, all?.unexpected]).to.deep.equal(['all', 10, 3]);
  });

  it('last as long as their longest part', () => {
    expect(secondsOf([{ measuredMs: 1_500 }, { measuredMs: 2_500 }])).to.equal(2.5);
  });

  it('spread what a process used over the calls and the time', () => {
    const cost = (cpuSeconds: number, pssBytes: number | null) => ({ cpuSeconds, pssBytes });
    const span = {
      before: { gateway: cost(2, 3 * 1_048_576), gone: cost(1, 1), redis: cost(1, null) },
      after: { gateway: cost(5, 4 * 1_048_576), redis: cost(1, null), born: cost(9, 9) },
      seconds: 6,
    };
    const gateway = { name: 'gateway', cpuMicrosPerCall: 300, cpuShare: 0.5, pssMiB: 4, pssMiBBefore: 3 };
    const redis = { name: 'redis', cpuMicrosPerCall: 0, cpuShare: 0, pssMiB: null, pssMiBBefore: null };
    expect(processFigures(span, 10_000)).to.deep.equal([gateway, redis]);
    expect(processFigures(span, 0)[0]?.cpuMicrosPerCall, 'without a call').to.equal(3_000_000);
  });

  it('lay the seconds of all generators over each other', () => {
    const second = (count: number, unexpected: number) => ({
      histogram: histogramOf(count),
      outcomes: { accepted: count - unexpected, refused: 0, left: unexpected, failed: 0 },
    });
    const rows = timelineOf([second(1, 0), second(2, 1), second(3, 0), second(4, 2), second(9, 9)], 2);
    expect(rows.map(({ perSecond, unexpected }) => [perSecond, unexpected])).to.deep.equal([
      [3, 1],
      [7, 2],
    ]);
  });

  it('say what of a latency is the client’s own doing, at worst', () => {
    const client = clientFigures([
      { clientWait: histogramOf(1), lateness: histogramOf(1), loopDelayMs: { p50: 1, p99: 9 } },
      { clientWait: histogramOf(1), lateness: histogramOf(0), loopDelayMs: { p50: 2, p99: 3 } },
    ]);
    expect(client.loopDelay).to.deep.equal({ p50: 2, p99: 9 });
    expect(client.wait.p50).to.be.closeTo(1, 0.01);
    expect(client.late.p99).to.be.closeTo(1, 0.01);
    const latency = { p50: 4, p90: 5, p99: 2, p999: 9, max: 9 };
    const operation = {
      name: 'all',
      count: 1,
      perSecond: 1,
      codes: {},
      unexpected: 0,
      histogram: '',
      latency,
    } as const;
    expect(clientShareOf({ client, operations: [operation] })).to.be.closeTo(0.5, 0.01);
    expect(clientShareOf({ client, operations: [] })).to.equal(0);
  });
});
