import { expect } from 'chai';
import { operationFigures, outcomeFigures, type LoadFigures } from '../figures.js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import { faultsOf, warningsOf } from './faults.js';

const answered = (codes: Readonly<Record<string, number>>): LoadFigures['operations'] => {
  const histogram = makeHistogram();
  for (const count of Object.values(codes))
    for (let left = count; left > 0; left -= 1) recordMs(histogram, 1);
  const counted = [{ operation: 'request' as const, codes, histogram: encodeHistogram(histogram) }];
  return operationFigures([{ measuredMs: 1_000, counted }]);
};

const load = (over: Partial<LoadFigures> = {}) => ({
  name: 'gateway',
  figures: {
    seconds: 1,
    operations: answered({ fill: 3 }),
    outcomes: outcomeFigures([]),
    afterFall: [],
    processes: [],
    others: [],
    cpuMicrosPerCall: 0,
    unsent: 0,
    client: { wait: { p50: 0, p99: 0 }, late: { p50: 0, p99: 0 }, loopDelay: { p50: 0, p99: 0 } },
    settledAfterMs: 5,
    unsettled: 0,
    ended: [],
    timeline: [],
    ...over,
  },
});

describe('the faults of a stretch of load', () => {
  it('are none when every answer is a promised one and every process runs', () => {
    expect([faultsOf(load()), warningsOf(load())]).to.deep.equal([[], []]);
  });

  for (const [over, fault] of [
    [{ operations: answered({}) }, 'gateway: nothing was answered.'],
    [{ operations: answered({ fill: 2, timeout: 1 }) }, 'gateway: 1 answers were not the promised ones.'],
    [{ ended: ['fraud-service'] }, 'gateway: fraud-service ended on the way'],
    [{ settledAfterMs: null, unsettled: 7 }, 'gateway: 7 accepted events were not seen settled'],
  ] as const) {
    it(`include: ${fault}`, () => {
      const faults = faultsOf(load(over));
      expect(faults).to.have.lengthOf(1);
      expect(faults[0]).to.include(fault);
    });
  }

  it('have no warning when the part of the client is small, or when only the price is measured', () => {
    const none = { p50: 0, p99: 0 };
    const of = (p99: number) => ({ client: { wait: { p50: 0.1, p99 }, late: none, loopDelay: none } });
    expect(warningsOf(load(of(0.2)))).to.deep.equal([]);
    expect(warningsOf(load(of(2)))).to.have.lengthOf(1);
    expect(warningsOf({ ...load(of(2)), isPriceOnly: true })).to.deep.equal([]);
  });

  it('have a warning when the generators caused a large part of the latencies', () => {
    const client = { wait: { p50: 0.2, p99: 250 }, late: { p50: 0, p99: 9 }, loopDelay: { p50: 0, p99: 30 } };
    const [large] = warningsOf(load({ client }));
    expect(large).to.include('the client itself caused up to');
    expect(large).to.include('p99 250 ms; planned calls were late by: p50 0.00, p99 9.00 ms; its event loop');
  });

  it('say that the figures are void when the generators fell behind their plan', () => {
    const behind = { wait: { p50: 0, p99: 0 }, late: { p50: 1, p99: 101 }, loopDelay: { p50: 0, p99: 0 } };
    for (const over of [{ client: behind }, { unsent: 9 }]) {
      const faults = faultsOf(load(over));
      expect(faults).to.have.lengthOf(1);
      expect(faults[0]).to.include('the load generator fell behind its plan').and.include('void');
    }
  });

  it('are no refusals when more is offered than the target can answer', () => {
    const refused = load({ operations: answered({ fill: 2, refused: 5 }) });
    expect(faultsOf(refused)).to.have.lengthOf(1);
    expect(faultsOf({ ...refused, isOverload: true })).to.deep.equal([]);
    const waited = { wait: { p50: 0, p99: 900 }, late: { p50: 0, p99: 0 }, loopDelay: { p50: 0, p99: 0 } };
    expect(warningsOf({ ...load({ client: waited }), isOverload: true })).to.deep.equal([]);
  });
});
