import { expect } from 'chai';
import { DAY_SHARES, makeDayCurve, secondOfDay, straightLine } from './day-curve.js';
import { forecastOf, UNKNOWN_TRAFFIC, type TrafficGroup } from './forecast.js';

const HOUR = 3_600;

/** All of the day's traffic in one half hour. */
function peakAt(halfHour: number): number[] {
  return Array.from({ length: DAY_SHARES }, (_, at) => (at === halfHour ? 1 : 0));
}

function group(changes: Partial<TrafficGroup> = {}): TrafficGroup {
  return {
    category: 'games',
    format: 'banner',
    requestsPerDay: 1_000,
    shares: peakAt(20),
    isProven: true,
    ...changes,
  };
}

const BANNERS = { formats: ['banner'], categories: [] } as const;

describe('the expected traffic of a campaign', () => {
  it('is a straight line, 25 % ahead, when no group is known', () => {
    expect(forecastOf([], BANNERS)).to.equal(UNKNOWN_TRAFFIC);
    expect(forecastOf([group({ format: 'rewarded' })], BANNERS)).to.equal(UNKNOWN_TRAFFIC);
    for (const requestsPerDay of [0, -1, Number.NaN])
      expect(forecastOf([group({ requestsPerDay })], BANNERS)).to.equal(UNKNOWN_TRAFFIC);
    expect(forecastOf([group({ shares: [1, 2, 3] })], BANNERS)).to.equal(UNKNOWN_TRAFFIC);
  });

  it('is the mix of the groups in which it may be served, weighted by their traffic', () => {
    const groups = [
      group({ requestsPerDay: 300 }),
      group({ category: null, requestsPerDay: 100, shares: peakAt(40) }),
      group({ format: 'interstitial', requestsPerDay: 9_000, shares: peakAt(0) }),
    ];
    const { curve } = forecastOf(groups, BANNERS);
    expect(curve(10 * HOUR)).to.be.closeTo(0, 1e-9);
    expect(curve(12 * HOUR)).to.be.closeTo(0.75, 1e-9);
    expect(curve(24 * HOUR)).to.be.closeTo(1, 1e-9);
  });

  it('leaves out categories that the campaign does not target, and apps without one when it targets some', () => {
    const groups = [group({ category: 'news', shares: peakAt(10) }), group({ category: null }), group()];
    const { curve } = forecastOf(groups, { formats: ['banner'], categories: ['news'] });
    expect(curve(6 * HOUR)).to.be.closeTo(1, 1e-9);
  });

  it('is proven when proven groups carry nine tenths of the traffic', () => {
    const unproven = group({ category: 'news', requestsPerDay: 100, isProven: false });
    expect(forecastOf([group({ requestsPerDay: 900 }), unproven], BANNERS).ahead).to.equal(1);
    expect(forecastOf([group({ requestsPerDay: 899 }), unproven], BANNERS).ahead).to.equal(1.25);
  });
});

describe('the curve of a day', () => {
  it('is linear within a half hour and reaches 1 at midnight', () => {
    const curve = makeDayCurve(peakAt(20));
    expect(curve(10 * HOUR)).to.equal(0);
    expect(curve(10.25 * HOUR)).to.be.closeTo(0.5, 1e-9);
    expect(curve(10.5 * HOUR)).to.be.closeTo(1, 1e-9);
    expect([-1, 0, 24 * HOUR, 25 * HOUR].map(curve)).to.eql([0, 0, 1, 1]);
  });

  it('takes a negative weight for none, and stands still where a half hour has none', () => {
    const weights = peakAt(20).map((weight, at) => (at === 30 ? -5 : at === 40 ? 3 : weight));
    const curve = makeDayCurve(weights);
    expect([10.5, 15, 15.25, 15.5, 20].map((hour) => curve(hour * HOUR))).to.eql(Array(5).fill(0.25));
    expect(curve(20.25 * HOUR)).to.be.closeTo(0.625, 1e-9);
  });

  it('that is straight begins with nothing and ends with the whole', () => {
    expect([-1, 0, 6 * HOUR, 24 * HOUR, 25 * HOUR].map(straightLine)).to.eql([0, 0, 0.25, 1, 1]);
  });

  it('is a straight line when there are no weights', () => {
    expect(makeDayCurve([])).to.equal(straightLine);
    expect(makeDayCurve(new Array<number>(DAY_SHARES).fill(0))).to.equal(straightLine);
    expect(makeDayCurve(new Array<number>(DAY_SHARES).fill(Number.NaN))).to.equal(straightLine);
    expect(makeDayCurve(new Array<number>(DAY_SHARES).fill(Infinity))).to.equal(straightLine);
    expect(makeDayCurve(new Array<number>(DAY_SHARES).fill(-1))).to.equal(straightLine);
    for (const count of [DAY_SHARES - 1, DAY_SHARES + 1])
      expect(makeDayCurve(new Array<number>(count).fill(1).map((_, at) => at))).to.equal(straightLine);
  });

  it('uses the second of the UTC day, with fractions', () => {
    expect(secondOfDay(Date.UTC(2026, 4, 1))).to.equal(0);
    expect(secondOfDay(Date.UTC(2026, 4, 1, 23, 59, 59, 500))).to.equal(86_399.5);
    expect(secondOfDay(-500)).to.equal(86_399.5);
  });
});
