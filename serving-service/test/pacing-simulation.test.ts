import { expect } from 'chai';
import { figuresOf, type DayFigures } from './support/day-figures.js';
import { cliff, doublePeak, flat, outage, spike } from './support/day-shapes.js';
import { simulateDay, type DayOptions } from './support/simulated-day.js';

/** Pass marks of a simulated day: shares of budgets, minutes of the day. */
interface Bars {
  readonly delivered: number;
  readonly worst: number;
  readonly offPlan: number;
  readonly burst: number;
}

const ORDINARY: Bars = { delivered: 0.99, worst: 0.98, offPlan: 0.01, burst: 0.04 };

const NOON = 720;
const THREE = 900;

type Day = readonly [string, Omit<DayOptions, 'seed'>, Partial<Bars>];

const days: readonly Day[] = [
  ['with constant traffic', { shape: flat }, {}],
  ['with two peaks', { shape: doublePeak }, {}],
  ['on eight replicas', { shape: doublePeak, replicas: 8 }, {}],
  ['whose traffic ends at 21:00 as learned', { shape: cliff }, {}],
  ['with a quarter of an hour of fifteen times the traffic', { shape: spike, learned: doublePeak }, {}],
  ['with three hours without traffic', { shape: outage, learned: doublePeak }, { offPlan: 0.04 }],
  [
    'on which half of the fills are never shown',
    { shape: doublePeak, showRate: 0.5, requests: 60_000 },
    { offPlan: 0.015, burst: 0.05 },
  ],
  ['without learned traffic', { shape: doublePeak, learned: null }, { offPlan: 0.04 }],
  [
    'without learned traffic, whose traffic ends at 21:00',
    { shape: cliff, learned: null },
    { offPlan: 0.04 },
  ],
  [
    'on which half of the campaigns start at 15:00',
    { shape: doublePeak, pressure: 0.3, restEvery: 2, events: [{ minute: THREE, every: 2, isServed: true }] },
    {},
  ],
  [
    'on which half of the campaigns are paused from 9:00 to 15:00',
    {
      shape: doublePeak,
      pressure: 0.3,
      events: [
        { minute: 540, every: 2, isServed: false },
        { minute: THREE, every: 2, isServed: true },
      ],
    },
    {},
  ],
  [
    'on which budgets are doubled and halved at noon',
    {
      shape: doublePeak,
      pressure: 0.25,
      events: [
        { minute: NOON, every: 2, budgetTimes: 2 },
        { minute: NOON, every: 3, budgetTimes: 0.5 },
      ],
    },
    {},
  ],
  [
    'with budgets of little more than a hundred impressions',
    { shape: doublePeak, requests: 2_500, campaigns: 5 },
    { worst: 0.95, offPlan: 0.025, burst: 0.06 },
  ],
];

function figuresOn(options: DayOptions): DayFigures {
  return figuresOf(simulateDay(options));
}

/** The billed share of each campaign's budget, highest bid first. */
function deliveredOn(options: DayOptions): number[] {
  const { campaigns } = simulateDay(options);
  return campaigns.map(({ billed, budget }) => billed / budget);
}

describe('a simulated day', function () {
  this.timeout(30_000);

  for (const [name, options, exceptions] of days) {
    it(`${name}: delivers budgets along the plan and never exceeds them`, () => {
      const bars = { ...ORDINARY, ...exceptions };
      const figures = figuresOn({ seed: 1, ...options });
      expect(figures.over).to.equal(0);
      expect(figures.delivered).to.be.at.least(bars.delivered);
      expect(figures.worst).to.be.at.least(bars.worst);
      expect(figures.offPlan).to.be.at.most(bars.offPlan);
      expect(figures.burst).to.be.at.most(bars.burst);
    });
  }

  it('ends between 22:30 and 23:50 for most campaigns', () => {
    for (const shape of [flat, doublePeak]) {
      expect(figuresOn({ seed: 2, shape }).doneAt).to.be.within(1_350, 1_430);
    }
  });

  it('with more demand than traffic earns at least 99 % of its income without pacing', () => {
    const crowded = { seed: 3, shape: doublePeak, pressure: 1.4 };
    const paced = figuresOn(crowded);
    const unpaced = figuresOn({ ...crowded, isPaced: false });
    expect(paced.revenue).to.be.at.least(0.99 * unpaced.revenue);
  });

  for (const [name, shape] of [
    ['with constant traffic', flat],
    ['with two peaks', doublePeak],
  ] as const) {
    it(`${name} that is nearly sold out: low bids get 95 % of their share without pacing`, () => {
      const crowded = { seed: 4, shape, pressure: 0.95 };
      const paced = deliveredOn(crowded);
      const unpaced = deliveredOn({ ...crowded, isPaced: false });
      for (const [at, share] of paced.entries()) {
        expect(share).to.be.at.least(0.95 * (unpaced[at] as number));
      }
    });
  }

  it('fails these marks without pacing', () => {
    const figures = figuresOn({ seed: 1, shape: doublePeak, isPaced: false });
    expect(figures.offPlan).to.be.above(0.1);
    expect(figures.doneAt).to.be.below(1_200);
  });
});
