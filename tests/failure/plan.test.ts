import { expect } from 'chai';
import { planFaults, TARGETS } from './plan.js';
import type { PlannedFault, Target } from './plan.js';

/** Number of kinds for targets that do not have the usual five. */
const KIND_COUNTS: Readonly<Partial<Record<Target, number>>> = {
  'serving-service': 6,
  'serving-service-2': 6,
  'events-service': 6,
  'events-service-2': 6,
  redis: 8,
  'serving-and-stores': 1,
};

function first(count: number, seed: number): PlannedFault[] {
  const plan = planFaults(seed, { holdMsMax: 3_000, hasLongStops: false });
  return Array.from({ length: count }, () => plan.next().value);
}

describe('the plan of the faults', () => {
  it('is the same for the same seed, and differs for another seed', () => {
    expect(first(30, 7)).to.deep.equal(first(30, 7));
    expect(first(30, 7)).not.to.deep.equal(first(30, 8));
  });

  it('hits every target once in each round', () => {
    const faults = first(TARGETS.length * 3, 1);
    for (let round = 0; round < 3; round += 1) {
      const hit = faults.slice(round * TARGETS.length, (round + 1) * TARGETS.length);
      expect(hit.map(({ target }) => target)).to.have.members([...TARGETS]);
    }
  });

  it('has every kind of fault for every target', () => {
    const faults = first(TARGETS.length * 8, 3);
    for (const target of TARGETS) {
      const kinds = new Set(faults.filter((fault) => fault.target === target).map(({ kind }) => kind));
      expect(kinds.size, target).to.equal(KIND_COUNTS[target] ?? 5);
    }
  });

  it('holds no fault longer than the option, except for a Redis that stays empty', () => {
    const faults = first(200, 5).filter(({ kind }) => kind !== 'stay-empty');
    expect(Math.max(...faults.map(({ holdMs }) => holdMs))).to.be.at.most(3_000);
  });

  it('stops a replica of serving-service and one of events-service for more than a minute, if the option is set', () => {
    const plan = planFaults(9, { holdMsMax: 3_000, hasLongStops: true });
    const faults = Array.from({ length: TARGETS.length * 3 }, () => plan.next().value);
    const long = faults.filter(({ kind }) => kind === 'stop-long');
    expect(long.map(({ target }) => target.replace('-2', ''))).to.deep.equal([
      'serving-service',
      'events-service',
    ]);
    for (const { holdMs } of long) expect(holdMs).to.be.within(65_000, 75_000);
    expect(first(200, 9).map(({ kind }) => kind)).not.to.include('stop-long');
  });

  it('shifts clocks by 5 seconds, ahead and behind', () => {
    const clocks = first(TARGETS.length * 12, 4).filter(({ kind }) => kind === 'clock');
    expect(new Set(clocks.map(({ offMs }) => offMs))).to.deep.equal(new Set([5_000, -5_000]));
  });
});
