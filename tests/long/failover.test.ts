import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis } from '@placard/service-kit';
import { figuresOf, isGood, resultLines } from '../failure/result-table.js';
import { openRig, type Rig } from '../failure/rig.js';
import { runBeside, untilShown } from '../failure/steady.js';

const START_MS_MAX = 120_000;
const RUN_MS_MAX = 180_000;
const MASTERS = 3;
const SLOTS = 16_384;
/** Traffic behind each loss. */
const AFTER_MS = 10_000;
/** What the settlement queue's keys begin with. */
const QUEUE_TAG = '{bull-0}';

describe('the loss of a master of a Redis Cluster', () => {
  let rig: Rig;
  let current = 'before';
  const troubles = new Map<string, number>();
  const onTrouble = (what: string): void => {
    const kind = `${current}: ${what}`;
    troubles.set(kind, (troubles.get(kind) ?? 0) + 1);
  };

  before('the product runs', async () => {
    rig = await openRig({
      seed: 11,
      scale: 4,
      adTtlSeconds: 1_800,
      adsPerSecond: 20,
      holdMsMax: 5_000,
      topology: { replicas: 2, redisCluster: { masters: MASTERS, replicasOfEach: 1 } },
      onTrouble,
    });
  }).timeout(START_MS_MAX);
  // It may never have started.
  after('the product is stopped', () => (rig as Rig | undefined)?.close()).timeout(START_MS_MAX);

  it('stops nothing for long: its replica takes over, no process starts again, and the books are exact', async () => {
    const pids = processIds(rig);
    const steps: string[] = [];
    const lose = async (name: string): Promise<number> => {
      current = `${name} was killed`;
      const lostAtMs = Date.now();
      await rig.product.kill(name);
      await untilShown(rig);
      steps.push(`  ${current}: the next whole ad after ${Date.now() - lostAtMs} ms`);
      await sleep(AFTER_MS);
      return lostAtMs;
    };
    const result = await runBeside(rig, async () => {
      // The one that has the settlement queue, then another, which the returned first cannot replace.
      const first = await masterOf(rig, QUEUE_TAG);
      const lostAt = [await lose(`redis-${first}`)];
      current = 'the killed one is back';
      await rig.product.restart(`redis-${first}`);
      lostAt.push(await lose(`redis-${(first % MASTERS) + 1}`));
      current = 'after';
      return lostAt;
    });
    const trouble = [...troubles].map(([kind, count]) => `  ${count} × ${kind}`);
    const told = [...steps, ...trouble, ...resultLines(result)].join('\n');
    process.stdout.write(`${told}\n`);
    expect(isGood(figuresOf(result.findings)), told).to.equal(true);
    expect(processIds(rig), told).to.deep.equal(pids);
    expect(result.book.counted('impressions accepted'), told).to.be.above(100);
    expect(
      [...troubles.keys()].filter((kind) => / [5]\d\d /.test(kind)),
      told,
    ).to.deep.equal([]);
  }).timeout(RUN_MS_MAX);
});

/** Those of the product itself, by name. */
function processIds(rig: Rig): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(rig.product.pids).filter(([name]) => !name.startsWith('redis')));
}

/** Which master has the slot of a hash tag: they share the slots evenly, in order, until one is lost. */
async function masterOf(rig: Rig, tag: string): Promise<number> {
  const redis = connectRedis({ url: rig.product.addresses.redisUrl, name: 'test', waitsForRedis: true });
  try {
    const slot = Number(await redis.call('CLUSTER', 'KEYSLOT', tag));
    return 1 + Math.floor((slot * MASTERS) / SLOTS);
  } finally {
    redis.disconnect();
  }
}
