import { expect } from 'chai';
import { makeChance } from '../chance.js';
import { plannedTimes } from './schedule.js';

describe('the plan of an open loop', () => {
  const times = [...plannedTimes([{ rate: 1_000, durationMs: 10_000 }], makeChance(3))];

  it('has as many calls as rate and duration require', () => {
    expect(times.length).to.be.within(9_700, 10_300);
  });

  it('goes forward and ends in time', () => {
    expect(times.every((at, index) => at >= (times[index - 1] ?? 0))).to.equal(true);
    expect(times.at(-1)).to.be.below(10_000);
  });

  it('changes its rate from one stretch to the next without a pause', () => {
    const stretches = [
      { rate: 3_000, durationMs: 2_000 },
      { rate: 500, durationMs: 2_000 },
    ];
    const changing = [...plannedTimes(stretches, makeChance(3))];
    const before = changing.filter((at) => at < 2_000).length;
    expect(before).to.be.within(5_700, 6_300);
    expect(changing.length - before).to.be.within(900, 1_100);
    expect(changing.filter((at) => at >= 2_000 && at < 2_100).length).to.be.within(20, 80);
  });

  it('is uneven, because traffic has bursts', () => {
    const perTick = new Map<number, number>();
    for (const at of times) perTick.set(Math.floor(at / 10), (perTick.get(Math.floor(at / 10)) ?? 0) + 1);
    expect(Math.max(...perTick.values())).to.be.above(15);
  });
});
