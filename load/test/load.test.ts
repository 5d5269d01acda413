import module from 'node:module';
import { expect } from 'chai';
import type { Verification, Report } from '../../tests/driver/books.js';
import { runPlacard } from '../../tests/driver/placard.js';
import { assignmentTo } from '../src/compare/beside-product.js';
import { CALLS, OPERATION_OF } from '../src/bill/part.js';
import { PARTS } from '../src/bill/parts.js';
import { Switchboard } from '../src/bill/switchboard.js';
import { operationFigures, outcomeFigures, slotsOf, type OperationFigures } from '../src/figures.js';
import type { Assignment, Phase, PhaseResult } from '../src/generator/messages.js';
import { takeSnapshot } from '../src/latency.js';
import { openLoadedProduct, type LoadedProduct } from '../src/loaded-product.js';
import { usualMix, type Mix, type Target } from '../src/operations.js';
import { openSkeleton } from '../src/compare/skeleton-processes.js';
import { stepsBetween } from '../src/compare/steps.js';
import { Swarm } from '../src/swarm.js';

const START_MS_MAX = 120_000;
const PHASE_MS_MAX = 60_000;
const TRIES_MAX = 20;
/** Node.js 20 cannot replace exports of modules, so it has no bill. */
const canLeaveOut = 'registerHooks' in module;

const phase = (mix: Mix, durationMs: number, over: Partial<Phase> = {}): Phase => ({
  mix,
  rate: null,
  concurrency: 8,
  callsMax: null,
  warmupMs: 0,
  durationMs,
  fall: null,
  callsForSessions: true,
  endsWithoutFills: false,
  keepsAnswers: true,
  ...over,
});

/** Runs a phase and asserts that the contract promises every answer; returns the figures by operation. */
async function runWell(swarm: Swarm, wanted: Phase): Promise<ReadonlyMap<string, OperationFigures>> {
  const results = await swarm.run(wanted, { measuring: () => undefined, second: () => undefined });
  return expectGood(results);
}

function expectGood(results: readonly PhaseResult[]): ReadonlyMap<string, OperationFigures> {
  const figures = operationFigures(results);
  const codes = JSON.stringify(figures.map((one) => [one.name, one.codes]));
  expect(figures[0]?.unexpected, codes).to.equal(0);
  return new Map(figures.map((one) => [one.name, one]));
}

describe('a product under load', () => {
  let product: LoadedProduct;
  const board = canLeaveOut ? new Switchboard() : null;
  let fills = 0;
  let accepted = 0;

  const traffic = { sessions: 40, timeoutMs: 10_000, adMs: 1_800_000, acceptsGzip: false, seed: 7 };
  const onTarget = async (
    target: Assignment['target'],
    use: (swarm: Swarm) => Promise<void>,
    address = product.addressOf(target as Target),
  ): Promise<void> => {
    const swarm = await Swarm.open(assignmentTo(product, { target, address }, traffic), 1);
    try {
      await use(swarm);
    } finally {
      swarm.close();
    }
  };
  const count = (figures: ReadonlyMap<string, OperationFigures>): void => {
    fills += figures.get('request')?.codes['fill'] ?? 0;
    accepted += figures.get('impression')?.codes['accepted'] ?? 0;
  };

  before('the product runs', async () => {
    product = await openLoadedProduct({
      catalog: null,
      catalogSize: 100,
      seed: 7,
      stubFor: null,
      profiles: false,
      // It has its own stores, even when the tests have others.
      env: { DATABASE_URL: '', REDIS_URL: '', ...board?.environment },
    });
  }).timeout(START_MS_MAX);
  after('the product is stopped', async () => {
    await product.close();
    board?.close();
  }).timeout(START_MS_MAX);

  it('accepts the impression of every fill once, and answers duplicate to a repetition', async () => {
    await onTarget('gateway', async (swarm) => {
      count(await runWell(swarm, phase(usualMix('gateway'), 1_000)));
      count(await runWell(swarm, phase(usualMix('gateway'), 1_000, { rate: 40 })));
      expect(fills).to.be.above(10);
      const rest = phase({ impression: 1 }, PHASE_MS_MAX, { endsWithoutFills: true });
      count(await runWell(swarm, rest));
      expect(accepted).to.equal(fills);
      const again = await runWell(swarm, phase({ duplicate: 1 }, PHASE_MS_MAX, { endsWithoutFills: true }));
      expect(again.get('duplicate')?.codes).to.deep.equal({ duplicate: again.get('all')?.count });
    });
  }).timeout(PHASE_MS_MAX);

  it('has books that add up, and counts the events of the phones', async () => {
    const placard = async (...args: readonly string[]): Promise<string> =>
      (await runPlacard(product.product.consoleAddress, args)).stdout;
    const verification = JSON.parse(await placard('ledger', 'verify', '--wait', '--json')) as Verification;
    expect(verification.ok, JSON.stringify(verification.checks)).to.equal(true);
    const { rows } = JSON.parse(await placard('report', '--format', 'json')) as Report;
    const sum = (pick: (row: Report['rows'][number]) => number): number =>
      rows.reduce((total, row) => total + pick(row), 0);
    expect(sum((row) => row.impressions)).to.equal(accepted);
    expect(sum((row) => row.fills)).to.equal(fills);
  }).timeout(PHASE_MS_MAX);

  it('gets every planned call of an open loop, and the lower load after it at once', async () => {
    await onTarget('gateway', async (swarm) => {
      const offered = phase(usualMix('gateway'), 1_000, {
        rate: 60,
        callsForSessions: false,
        fall: { rate: 20, durationMs: 1_000, quickMs: 10_000 },
      });
      const results = await swarm.run(offered, { measuring: () => undefined, second: () => undefined });
      expectGood(results);
      const { accepted: during } = outcomeFigures(results);
      expect(during.count).to.be.within(30, 100);
      const after = slotsOf(results);
      const sum = (pick: (slot: (typeof after)[number]) => number): number =>
        after.reduce((total, slot) => total + pick(slot), 0);
      expect(sum((slot) => slot.ended)).to.be.within(5, 45);
      expect(sum((slot) => slot.quick)).to.equal(sum((slot) => slot.ended));
      expect(results[0]?.unsent).to.equal(0);
    });
  }).timeout(PHASE_MS_MAX);

  it('reports the waits of an ad request and an impression in every process', async () => {
    await onTarget('gateway', async (swarm) => {
      const before = await takeSnapshot(product);
      const figures = await runWell(swarm, phase(usualMix('gateway'), 500));
      const calls = stepsBetween(before, await takeSnapshot(product), { operations: [...figures.values()] });
      expect(calls.map(({ call }) => call)).to.deep.equal(['ad request', 'impression']);
      for (const { steps } of calls) {
        // A missing histogram counts as 0, which makes its step 0 or less. The first step is the phone's.
        for (const { name, ms } of steps.slice(1)) expect(ms, name).to.be.above(0);
      }
    });
  }).timeout(PHASE_MS_MAX);

  // It runs before the load on events-service alone, whose leases hold all money, so that there are no more ads.
  it('answers as promised without any one part, and uses the stand-in of each', async function () {
    if (board === null) this.skip();
    const { pids } = product.product;
    await onTarget('gateway', async (swarm) => {
      for (const call of CALLS) {
        const wanted = (over: Partial<Phase>): Phase =>
          phase({ [OPERATION_OF[call]]: 1 }, PHASE_MS_MAX, { callsForSessions: false, ...over });
        if (call === 'impression')
          await runWell(swarm, phase({ request: 1 }, PHASE_MS_MAX, { callsMax: 300 }));
        for (const part of PARTS.filter(({ calls }) => calls.includes(call))) {
          // A stand-in that repeats an earlier answer needs a first answer.
          if (call !== 'impression') await runWell(swarm, wanted({ callsMax: 1 }));
          await board.leaveOut(part, pids);
          let uses = 0;
          // Without an ad no token is sealed.
          for (let tries = 0; uses === 0 && tries < TRIES_MAX; tries += 1) {
            const few = wanted({ callsMax: 10, keepsAnswers: part.keeps !== false });
            expect((await runWell(swarm, few)).get('all')?.count).to.equal(10);
            uses = (await board.leaveOut(part, pids)).get(part.id) ?? 0;
            if (part.isIdle === true) break;
          }
          expect(uses > 0, `${call} without ${part.id}`).to.equal(part.isIdle !== true);
          await board.leaveOut(null, pids);
        }
      }
    });
  }).timeout(PHASE_MS_MAX);

  for (const target of ['session', 'serving', 'events', 'fraud'] as const) {
    it(`answers calls of its ${target} service alone`, async () => {
      await onTarget(target, async (swarm) => {
        const figures = await runWell(swarm, phase(usualMix(target), 250, { callsForSessions: false }));
        expect(figures.get('all')?.count).to.be.above(0);
      });
    }).timeout(PHASE_MS_MAX);
  }

  it('gets tokens by real calls without keys', async () => {
    const elsewhere = {
      ...assignmentTo(product, { target: 'events', address: product.addressOf('events') }, traffic),
      keys: null,
      sessionAddress: product.addressOf('session'),
      servingAddress: product.addressOf('serving'),
      sessions: 10,
    };
    const swarm = await Swarm.open(elsewhere, 1);
    try {
      const figures = await runWell(
        swarm,
        phase({ impression: 1 }, 300, { callsForSessions: false, rate: 50 }),
      );
      expect(figures.get('impression')?.count).to.be.above(0);
    } finally {
      swarm.close();
    }
  }).timeout(PHASE_MS_MAX);

  it('can be compared with the skeleton, whose ad has the same size', async () => {
    const skeleton = await openSkeleton(product.redisUrl);
    try {
      for (const target of ['skeleton', 'plain'] as const) {
        await onTarget(
          target,
          async (swarm) => {
            const figures = await runWell(swarm, phase({ request: 1 }, 250, { callsForSessions: false }));
            expect(figures.get('request')?.count).to.be.above(0);
          },
          skeleton.address,
        );
      }
    } finally {
      skeleton.close();
    }
  }).timeout(PHASE_MS_MAX);
});
