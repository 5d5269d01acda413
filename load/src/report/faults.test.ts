import { expect } from 'chai';
import { operationFigures, type LoadFigures } from '../figures.js';
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
    processes: [],
    others: [],
    cpuMicrosPerCall: 0,
    unsent: 0,
    client: { wait: { p50: 0, p99: 0 }, loopDelay: { p50: 0, p99: 0 } },
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
    const of = (p99: number) => ({ client: { wait: { p50: 0.1, p99 }, loopDelay: { p50: 0, p99: 0 } } });
    expect(warningsOf(load(of(0.2)))).to.deep.equal([]);
    expect(warningsOf(load(of(2)))).to.have.lengthOf(1);
    expect(warningsOf({ ...load(of(2)), isPriceOnly: true })).to.deep.equal([]);
  });

  it('have a warning when the generators could not keep the plan', () => {
    const client = { wait: { p50: 0.2, p99: 250 }, loopDelay: { p50: 0, p99: 30 } };
    const [unsent, late] = warningsOf(load({ unsent: 9, client }));
    expect(unsent).to.include('9 calls of the plan were not sent');
    expect(late).to.include('the client itself caused up to');
    expect(late).to.include('p99 250 ms; its event loop was late by: p50 0.00, p99 30.0 ms');
  });
});
