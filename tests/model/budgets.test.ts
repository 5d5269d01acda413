import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import fc from 'fast-check';
import { fileURLToPath } from 'node:url';
import { headrooms, histories, LAST_AD_OF_NEXT_MINUTE, type Headroom, type History } from './histories.js';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.js';
import { openEmptyStores, World } from './world.js';

const MIGRATIONS = {
  schema: 'events',
  dir: fileURLToPath(new URL('../../events-service/migrations', import.meta.url)),
};
/** More histories than usual; undefined: some seconds of them. */
const MORE_RUNS = process.env['MODEL_RUNS'];
const SEED = process.env['MODEL_SEED'];
const RUNS = {
  numRuns: Number(MORE_RUNS ?? 12),
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
};
/** When a history fails, so many shorter ones are tried; the shortest that fails is printed. */
const SHRINKS_MAX = 40;
/** Within so many histories a planted fault must show; all do in the first. */
const PLANTED_RUNS = 10;
/** Steady requests, four a second, after which all headroom must be sold. */
const STEADY = 20;

describe('budgets, compared with a model', function () {
  this.timeout(MORE_RUNS === undefined ? 60_000 : 0);
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ migrations: [MIGRATIONS] });
  });
  after(() => database.drop());

  async function live({ options, steps }: History, wrap: PlantedFault = (stores) => stores): Promise<void> {
    const world = new World(
      database.pool,
      wrap(await openEmptyStores(database.pool), database.pool),
      options,
    );
    for (const step of steps) await step.run(world);
    await world.end();
  }

  it('no budget is overspent and all held money is returned once, whatever replicas, network and clocks do', () =>
    holds(histories, (history) => live(history)));

  it('one replica sells exactly N ads from headroom for N ads', () =>
    holds(headrooms, sellOut, [LAST_AD_OF_NEXT_MINUTE]));

  /** Its work is bounded by counts, so that a slow machine does the same. */
  async function holds<Value>(
    values: fc.Arbitrary<Value>,
    run: (value: Value) => Promise<void>,
    examples: readonly Value[] = [],
  ): Promise<void> {
    let shrinks: number | null = null;
    const property = fc.asyncProperty(values, async (value) => {
      if (shrinks !== null && (shrinks += 1) > SHRINKS_MAX) return;
      try {
        await run(value);
      } catch (error) {
        shrinks ??= 0;
        throw error;
      }
    });
    await fc.assert(property, { ...RUNS, examples: examples.map((value) => [value]) });
  }

  async function sellOut({ ads, limit, requests }: Headroom): Promise<void> {
    const none = [null, null, null, null];
    const world = new World(database.pool, await openEmptyStores(database.pool), {
      limits: {
        totals: limit === 'total' ? [ads, null, null, ads] : none,
        days: limit === 'day' ? [ads, null, null, ads] : none,
        funds: [1_000, limit === 'balance' ? ads : 1_000],
      },
      offsMs: [0],
      startMs: 90_000,
    });
    const [replica] = world.replicas;
    if (replica === undefined) throw new Error('there is no replica');
    const steady = Array.from({ length: STEADY }, () => ({ count: 9, ms: 250 }));
    for (const { count, ms } of [...requests, ...steady]) {
      await world.request(replica, 3, count);
      if (ms === 0) continue;
      world.advance(ms);
      await replica.tick();
    }
    expect(world.ads).to.have.length(ads);
    await world.end();
  }

  for (const [what, plant] of PLANTED_FAULTS) {
    it(`a planted fault is found: ${what}`, async () => {
      const property = fc.asyncProperty(histories, (history) => live(history, plant()));
      const found = await fc.check(property, { numRuns: PLANTED_RUNS, seed: 2, endOnFailure: true });
      expect(found.failed).to.equal(true);
    });
  }
});
