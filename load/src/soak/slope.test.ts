import { expect } from 'chai';
import { makeChance } from '../chance.js';
import { slopeOf, type Point } from './slope.js';

/** Points of half an hour, one every ten seconds, around a line. */
function pointsOf(perHour: number, noise: (at: number) => number): readonly Point[] {
  return Array.from({ length: 180 }, (_, at) => [at / 360, 100 + (perHour * at) / 360 + noise(at)]);
}

describe('the slope of memory', () => {
  const chance = makeChance(3);

  it('is found in noise, with an interval that contains it and does not contain zero', () => {
    const slope = slopeOf(pointsOf(12, () => 2 * chance.next() - 1));
    expect(slope?.perHour).to.be.within(10, 14);
    expect(slope?.low).to.be.within(0, 12);
    expect(slope?.high).to.be.above(12);
  });

  it('shows no growth in a heap that fills and is collected', () => {
    const slope = slopeOf(pointsOf(0, (at) => (at % 30) / 3));
    expect(slope?.low).to.be.below(0);
    expect(slope?.high).to.be.above(0);
  });

  it('is not known from three points, nor from less than five minutes', () => {
    const points = pointsOf(5, () => 0);
    expect(slopeOf(points.filter((_, at) => at % 60 === 0))).to.equal(null);
    expect(slopeOf(points.slice(0, 30))).to.equal(null);
    expect(slopeOf(points.slice(0, 31))?.perHour).to.be.closeTo(5, 0.001);
  });
});
