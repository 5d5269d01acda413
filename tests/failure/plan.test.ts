import { expect } from 'chai';
import { planFaults, TARGETS } from './plan.js';
import type { PlannedFault } from './plan.js';

function first(count: number, seed: number): PlannedFault[] {
  const plan = planFaults(seed, 3_000);
  return Array.from({ length: count }, () => plan.next().value);
}

describe('the plan of the faults', () => {
  it('is the same for the same seed, and another for another', () => {
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

  it('does every kind of fault to every target', () => {
    const faults = first(TARGETS.length * 8, 3);
    for (const target of TARGETS) {
      const kinds = new Set(faults.filter((fault) => fault.target === target).map(({ kind }) => kind));
      expect(kinds.size).to.equal(target === 'redis' ? 8 : 5);
    }
  });

  it('holds no fault longer than asked', () => {
    expect(Math.max(...first(200, 5).map(({ holdMs }) => holdMs))).to.be.at.most(3_000);
  });
});
