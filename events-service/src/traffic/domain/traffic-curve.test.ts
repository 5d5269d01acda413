import { expect } from 'chai';
import { HALF_HOURS, learnCurves, type TrafficCurve, type TrafficDay } from './traffic-curve.js';

/** A day with these requests in the first and in the last half hour. */
function dayWith(day: number, first: number, last: number, changes: Partial<TrafficDay> = {}): TrafficDay {
  const requests = new Array<number>(HALF_HOURS).fill(0);
  requests[0] = first;
  requests[HALF_HOURS - 1] = last;
  return { category: 'games', format: 'banner', day, requests, ...changes };
}

function onlyCurve(days: readonly TrafficDay[]): TrafficCurve {
  const curves = learnCurves(days);
  expect(curves).to.have.length(1);
  return curves[0] as TrafficCurve;
}

/** `count` equal days from the day `from` on. */
function like(count: number, from: number, first: number, last: number): TrafficDay[] {
  return Array.from({ length: count }, (_, at) => dayWith(from + at, first, last));
}

describe('the learned traffic curve', () => {
  it('does not exist without traffic', () => {
    expect(learnCurves([])).to.eql([]);
    expect(learnCurves([dayWith(1, 0, 0)])).to.eql([]);
  });

  it('is the mean of the days, mixed half and half with a straight line at 2,000 requests', () => {
    const curve = onlyCurve([dayWith(1, 1_000, 0), dayWith(2, 500, 500)]);
    expect(curve.requestsPerDay).to.equal(1_000);
    expect(curve.shares[0]).to.be.closeTo(0.5 * 0.75 + 0.5 / 48, 1e-12);
    expect(curve.shares[1]).to.be.closeTo(0.5 / 48, 1e-12);
    expect(curve.shares[47]).to.be.closeTo(0.5 * 0.25 + 0.5 / 48, 1e-12);
    expect(curve.shares.reduce((sum, share) => sum + share, 0)).to.be.closeTo(1, 1e-12);
  });

  it('is learned for each category and format', () => {
    const curves = learnCurves([
      dayWith(1, 1, 0),
      dayWith(1, 1, 0, { category: '' }),
      dayWith(1, 1, 0, { format: 'rewarded' }),
      dayWith(2, 1, 0),
    ]);
    expect(curves.map(({ category, format }) => `${category} ${format}`)).to.have.members([
      'games banner',
      ' banner',
      'games rewarded',
    ]);
  });

  it('is proven from the seventh day on', () => {
    expect(onlyCurve(like(6, 1, 500, 500)).isProven).to.equal(false);
    expect(onlyCurve(like(7, 1, 500, 500)).isProven).to.equal(true);
  });

  it('is not proven while earlier days predict the final quarter of the last days with an error above 10 %', () => {
    const verdict = (last: number): boolean =>
      onlyCurve([...like(7, 1, 500, 500), ...like(7, 8, 1_000 - last, last)]).isProven;
    expect([440, 460, 500, 550, 560].map(verdict)).to.eql([false, true, true, true, false]);
  });

  it('is proven by the days before the last half of them, whatever the order in which they come', () => {
    const seven = [...like(3, 1, 500, 500), dayWith(4, 100, 900), ...like(3, 5, 400, 600)];
    expect(onlyCurve(seven).isProven, 'the middle day is one of the earlier ones').to.equal(true);
    expect(onlyCurve([...like(7, 8, 445, 555), ...like(7, 1, 500, 500)]).isProven).to.equal(true);
    expect(onlyCurve([...like(7, 8, 500, 500), ...like(7, 1, 445, 555)]).isProven).to.equal(false);
  });

  it('is not proven when the evening traffic has disappeared', () => {
    expect(onlyCurve([...like(7, 1, 500, 500), ...like(7, 8, 1_000, 0)]).isProven).to.equal(false);
  });
});
