import { expect } from 'chai';
import { exhaustionOf } from './exhaustion.js';
import { operationFigures, outcomeFigures, type LoadFigures } from '../figures.js';
import { OUTCOMES } from '../generator/api.js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import type { MemoryPoint } from '../measure/memory.js';
import { stepFigures, type StepFigures } from './step-figures.js';
import { growthOf, verdictsOf } from './verdicts.js';

const SECOND_HOURS = 1 / 3_600;
const memoryOf = (mib: (second: number) => number, seconds = 60): readonly MemoryPoint[] =>
  Array.from({ length: seconds }, (_, at) => [at * SECOND_HOURS, mib(at)] as const);

/** A load of ten seconds with a number of calls of each outcome and their latency. */
const loadOf = (calls: Readonly<Partial<Record<(typeof OUTCOMES)[number], readonly [number, number]>>>) => {
  const histogramOf = ([count, ms]: readonly [number, number] = [0, 0]): string => {
    const histogram = makeHistogram();
    for (let left = count; left > 0; left -= 1) recordMs(histogram, ms);
    return encodeHistogram(histogram);
  };
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, histogramOf(calls[outcome])]));
  const codes = { fill: 3, 'no_fill frequency_capped': 1, refused: 9 };
  const counted = [{ operation: 'request' as const, codes, histogram: histogramOf([13, 1]) }];
  const figures: LoadFigures = {
    seconds: 12,
    operations: operationFigures([{ measuredMs: 12_000, counted }]),
    outcomes: outcomeFigures([{ outcomes: outcomes as Record<(typeof OUTCOMES)[number], string> }]),
    afterFall: [],
    processes: [],
    others: [],
    cpuMicrosPerCall: 0,
    unsent: 0,
    client: { wait: { p50: 0, p99: 0 }, late: { p50: 0, p99: 3 }, loopDelay: { p50: 0, p99: 0 } },
    settledAfterMs: 0,
    unsettled: 0,
    ended: [],
    timeline: [],
  };
  return figures;
};

const step = (over: Partial<StepFigures> = {}): StepFigures => ({
  times: 3,
  offered: 3_000,
  accepted: { perSecond: 900, p50: 10, p99: 50 },
  refused: { perSecond: 2_100, p50: 1, p99: 12 },
  left: 0,
  failed: 0,
  fillShare: 1,
  recoveredMs: 200,
  falls: true,
  lateMs: 1,
  memory: { gateway: memoryOf(() => 200) },
  descriptorsMax: 800,
  load: loadOf({}),
  ...over,
});
const half = step({ times: 0.5, accepted: { perSecond: 500, p50: 5, p99: 20 } });
const money = { atEnd: 60, left: 0, waitedSeconds: 150, overdueLeases: 0, adSeconds: 60 };
const missedOf = (top: Partial<StepFigures>, over: Partial<typeof money> = {}): readonly string[] =>
  verdictsOf({ saturation: 1_000, steps: [half, step(top)], money: { ...money, ...over } })
    .filter(({ isMet }) => !isMet)
    .map(({ target }) => target);

describe('the targets of an overload', () => {
  it('are met by a product that refuses at once what it cannot answer', () => {
    expect(missedOf({})).to.deep.equal([]);
  });

  for (const [name, top, target] of [
    ['the accepted calls are slow', { accepted: { perSecond: 900, p50: 9, p99: 60 } }, 'p99 of accepted'],
    ['goodput falls', { accepted: { perSecond: 800, p50: 9, p99: 9 } }, 'goodput above'],
    ['refusals are slow', { refused: { perSecond: 1, p50: 9, p99: 51 } }, 'refused calls'],
    ['nothing is refused', { refused: { perSecond: 0, p50: 0, p99: 0 } }, 'refused calls'],
    ['memory grows', { memory: { gateway: memoryOf((second) => 200 + 2 * second) } }, 'memory flat'],
    ['memory is not known', { memory: {} }, 'memory flat'],
    ['it recovers late', { recoveredMs: 1_100 }, 'recovered within 1 s'],
    ['it does not recover', { recoveredMs: null }, 'recovered within 1 s'],
  ] as const) {
    it(`are missed when ${name}`, () => {
      const missed = missedOf(top);
      expect(missed).to.have.lengthOf(1);
      expect(missed[0]).to.include(target);
    });
  }

  it('are missed when money stays held or a lease is overdue', () => {
    expect(missedOf({}, { left: 1 })[0]).to.include('no money held');
    expect(missedOf({}, { overdueLeases: 1 })[0]).to.include('no money held');
  });

  it('are not missed for a lack of refusals when every call was accepted', () => {
    const all = { perSecond: 3_000, p50: 9, p99: 20 };
    expect(missedOf({ accepted: all, refused: { perSecond: 0, p50: 0, p99: 0 } })).to.deep.equal([]);
  });
});

describe('the growth of memory in a step', () => {
  it('leaves out the first quarter, in which heaps adapt to the load', () => {
    expect(growthOf(memoryOf((second) => (second < 15 ? 50 : 200)))).to.equal(0);
    expect(growthOf(memoryOf((second) => (second < 45 ? 100 : 130)))).to.be.closeTo(0.3, 1e-9);
  });

  it('is not known from fewer than eight samples', () => {
    expect(growthOf(memoryOf(() => 1, 7))).to.equal(null);
  });
});

describe('the figures of a step', () => {
  const phase = { warmupMs: 2_000, durationMs: 10_000, fall: null };
  const beside = { times: 1.5, memory: { gateway: memoryOf((second) => second, 30) }, descriptorsMax: 7 };

  it('are the calls that were planned in it, by outcome and per second', () => {
    const load = loadOf({ accepted: [40, 8], refused: [30, 2], left: [20, 1_500], failed: [10, 1] });
    const figures = stepFigures({ ...load, unsent: 100 }, phase, beside);
    expect(figures).to.include({ times: 1.5, offered: 20, left: 2, failed: 1, falls: false, lateMs: 3 });
    expect(figures.accepted.perSecond).to.equal(4);
    expect(figures.accepted.p99).to.be.closeTo(8, 0.01);
    expect(figures.refused.perSecond).to.equal(3);
    expect(figures.fillShare).to.equal(0.75);
  });

  it('have the memory of its time, without warm-up and fall', () => {
    const { memory } = stepFigures(loadOf({}), phase, beside);
    expect(memory['gateway']?.map(([, mib]) => mib)).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('the connections of the gateway', () => {
  it('make the figures void when nearly all were in use', () => {
    const steps = [half, step({ descriptorsMax: 19_000 }), step({ descriptorsMax: null })];
    expect(exhaustionOf({ steps, descriptorLimit: 20_000 })).to.have.lengthOf(1);
    expect(exhaustionOf({ steps, descriptorLimit: 65_536 })).to.deep.equal([]);
    expect(exhaustionOf({ steps, descriptorLimit: null })).to.deep.equal([]);
  });
});
