import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis } from '@placard/service-kit/redis';
import { servicePids } from '../failure/faults/processes.js';
import { figuresOf, isGood, moneyOf, resultLines } from '../failure/result-table.js';
import { openRig, type Rig } from '../failure/rig.js';
import { runBeside, untilShown } from '../failure/steady.js';
import { recordFault } from '../reliability/record-fault.js';
import { countedLines, unexpectedLines, type Trouble } from '../failure/faults/troubles.js';

const START_MS_MAX = 120_000;
const RUN_MS_MAX = 180_000;
const MASTERS = 3;
const SLOTS = 16_384;
/** Longest time until every write works again. */
const RECOVERED_MS = 15_000;
const AFTER_MS = 5_000;
/** Allowed troubles while the counters of a session have no master: the same as while Redis is down. */
const RETRIED = /^\/events\/(?:impression|click|reward) 500 /;
/** Hash tag of the settlement queue's keys. */
const QUEUE_TAG = '{bull-0}';

describe('the loss of a master of a Redis Cluster', () => {
  let rig: Rig;
  let phase = 'before';
  const troubles: Trouble[] = [];

  before('the product runs', async () => {
    rig = await openRig({
      seed: 11,
      scale: 4,
      adTtlSeconds: 1_800,
      adsPerSecond: 20,
      holdMsMax: 5_000,
      topology: { replicas: 2, redisCluster: { masters: MASTERS, replicasOfEach: 1 } },
      onTrouble: (what) => void troubles.push({ phase, what }),
    });
  }).timeout(START_MS_MAX);
  // The start may have failed.
  after('the product is stopped', () => (rig as Rig | undefined)?.close()).timeout(START_MS_MAX);

  it('fails only events until its replica takes over, restarts no process, and keeps budgets and books exact', async () => {
    const pids = servicePids(rig.product.dataDir);
    let pidsAfter: typeof pids = {};
    const steps: string[] = [];
    let recoveredMs = 0;
    const lose = async (name: string): Promise<void> => {
      phase = `${name} is lost`;
      const [lostAtMs, troublesBefore] = [Date.now(), troubles.length];
      await rig.product.kill(name);
      await untilShown(rig);
      const wholeAfterMs = Date.now() - lostAtMs;
      recoveredMs = Math.max(recoveredMs, wholeAfterMs);
      steps.push(`  ${name} was killed: the next whole ad after ${wholeAfterMs} ms`);
      await sleep(lostAtMs + RECOVERED_MS - Date.now());
      steps.push(`  ${name} was killed: ${troubles.length - troublesBefore} events answered 500`);
      phase = `${name} has a successor`;
      await sleep(AFTER_MS);
    };
    const result = await runBeside(rig, async () => {
      // First the master of the settlement queue, then another one.
      const first = await masterOf(rig, QUEUE_TAG);
      await lose(`redis-${first}`);
      phase = 'the killed one is back';
      await rig.product.restart(`redis-${first}`);
      await sleep(AFTER_MS);
      await lose(`redis-${(first % MASTERS) + 1}`);
      pidsAfter = servicePids(rig.product.dataDir);
    });
    const told = [...steps, ...countedLines(troubles), ...resultLines(result)].join('\n');
    process.stdout.write(`${told}\n`);
    expect(figuresOf(result.findings), told).to.satisfy(isGood);
    expect(pidsAfter, told).to.deep.equal(pids);
    expect(result.book.counted('impressions accepted'), told).to.be.above(100);
    const requests = result.book.counted('requests');
    expect(unexpectedLines(troubles, requests, isExpected), told).to.deep.equal([]);
    recordFault({
      fault: 'a master of a Redis Cluster is killed, twice',
      clientsSaw: `${troubles.length} of ${result.book.counted('requests')} requests failed: events, which clients repeat`,
      recoveredMs,
      ...moneyOf(result.findings),
    });
  }).timeout(RUN_MS_MAX);
});

function isExpected({ phase, what }: Trouble): boolean {
  return phase.endsWith('is lost') && RETRIED.test(what);
}

/** The master of a hash tag's slot. Masters share the slots evenly, in order, until one is lost. */
async function masterOf(rig: Rig, tag: string): Promise<number> {
  const redis = connectRedis({ url: rig.product.addresses.redisUrl, name: 'test', waitsForRedis: true });
  try {
    const slot = Number(await redis.call('CLUSTER', 'KEYSLOT', tag));
    return 1 + Math.floor((slot * MASTERS) / SLOTS);
  } finally {
    redis.disconnect();
  }
}
