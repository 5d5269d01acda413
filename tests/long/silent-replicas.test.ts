import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReborn, pidOf, signalAll } from '../failure/faults/processes.js';
import { figuresOf, isGood, resultLines } from '../failure/result-table.js';
import { openRig, type Rig } from '../failure/rig.js';
import { runBeside } from '../failure/steady.js';

const START_MS_MAX = 120_000;
const RUN_MS_MAX = 300_000;
/** Some 100 requests a second, with what follows from each ad. */
const ADS_PER_SECOND = 42;
/** How much may be spent: enough for all of it. */
const SCALE = 40;
/** Of every pair the second is hurt. Events are never made once more, so theirs stands still for longest. */
const STOPS = [
  ['events-service', 30_000],
  ['serving-service', 10_000],
  ['session-service', 6_000],
  ['fraud-service', 6_000],
  ['console-service', 6_000],
] as const;
const KILLED = ['events-service', 'serving-service', 'session-service', 'fraud-service', 'console-service'];
/** Processes whose calls are counted: console-service streams its catalog to its readers. */
const CALLED = new Set(['events-service', 'serving-service', 'session-service', 'fraud-service']);
const FAILED_SHARE_MAX = 0.01;
/** Requests that fail must have been sent within this time. */
const FELT_MS_MAX = 1_000;
/** A phone waits for so long until it knows that its request has failed. */
const ANSWER_MS_MAX = 3_500;
/** Time for a replica to be known again, and then to get its share. */
const BACK_MS = 3_000;
const SHARE_MS = 2_000;
const SHARE_MIN = 0.2;
const REBORN_MS_MAX = 20_000;

interface Failure {
  readonly startedAtMs: number;
  readonly what: string;
}

describe('a replica that stands still or dies beside another', () => {
  let rig: Rig;
  const failures: Failure[] = [];

  before('the product runs', async () => {
    rig = await openRig({
      seed: 23,
      scale: SCALE,
      adTtlSeconds: 1_800,
      adsPerSecond: ADS_PER_SECOND,
      holdMsMax: 2_000,
      topology: { replicas: 2, redisCluster: null },
      onTrouble: (what, startedAtMs) => void failures.push({ startedAtMs, what }),
    });
  }).timeout(START_MS_MAX);
  // It may never have started.
  after('the product is stopped', () => (rig as Rig | undefined)?.close()).timeout(START_MS_MAX);

  it('costs one second of its share at most, gets its share again, and leaves the books exact', async () => {
    const faults: string[] = [];
    const steps: string[] = [];
    /** Does something to a replica and judges the requests from then on until it is over and its phones have given up. */
    const hurt = async (what: string, deed: () => Promise<void>): Promise<void> => {
      const [beganAtMs, requestsBefore] = [Date.now(), rig.book.counted('requests')];
      const seen = failures.length;
      await deed();
      await sleep(ANSWER_MS_MAX);
      const requests = rig.book.counted('requests') - requestsBefore;
      const failed = failures.slice(seen).map((each) => ({ ...each, atMs: each.startedAtMs - beganAtMs }));
      const last = Math.max(0, ...failed.map(({ atMs }) => atMs));
      steps.push(
        `  ${what}: ${failed.length} of ${requests} requests failed, the last sent after ${last} ms`,
      );
      if (failed.length > requests * FAILED_SHARE_MAX) faults.push(`${what}: too many failed`);
      for (const { atMs, what: failure } of failed)
        if (atMs > FELT_MS_MAX) faults.push(`${what}: after ${atMs} ms ${failure}`);
    };
    const result = await runBeside(rig, async () => {
      for (const [name, holdMs] of STOPS) {
        await hurt(`${name}-2 stands still for ${holdMs} ms`, () => stopFor(rig, `${name}-2`, holdMs));
        if (CALLED.has(name)) {
          const share = await shareOf(rig, name);
          steps.push(`  ${name}-2 goes on: ${Math.round(share * 100)} % of the calls`);
          if (share < SHARE_MIN) faults.push(`${name}-2 does not get its share again`);
        }
      }
      for (const name of KILLED) await hurt(`${name}-2 is killed`, () => kill(rig, `${name}-2`));
    });
    const told = [...steps, ...resultLines(result)].join('\n');
    process.stdout.write(`${told}\n`);
    expect(faults, told).to.deep.equal([]);
    expect(figuresOf(result.findings), told).to.satisfy(isGood);
    expect(result.book.counted('impressions accepted'), told).to.be.above(500);
  }).timeout(RUN_MS_MAX);
});

async function stopFor({ product: { dataDir } }: Rig, name: string, holdMs: number): Promise<void> {
  const pid = runningPid(dataDir, name);
  signalAll([pid], 'SIGSTOP');
  try {
    await sleep(holdMs);
  } finally {
    signalAll([pid], 'SIGCONT');
  }
}

async function kill({ product: { dataDir } }: Rig, name: string): Promise<void> {
  const pid = runningPid(dataDir, name);
  signalAll([pid], 'SIGKILL');
  expect(await isReborn(dataDir, name, pid, REBORN_MS_MAX), `${name} is started again`).to.equal(true);
}

function runningPid(dataDir: string, name: string): number {
  const pid = pidOf(dataDir, name);
  if (pid === null) throw new Error(`${name} does not run`);
  return pid;
}

/** Which part of the calls to a service its second replica serves, once it is known again. */
async function shareOf(rig: Rig, name: string): Promise<number> {
  await sleep(BACK_MS);
  const read = () => Promise.all([rig.served(name), rig.served(`${name}-2`)]);
  const before = await read();
  await sleep(SHARE_MS);
  const after = await read();
  const [first, second] = [after[0] - before[0], after[1] - before[1]];
  return second / (first + second);
}
