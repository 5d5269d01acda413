import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReborn, pidOf, signalAll } from '../failure/faults/processes.js';
import { figuresOf, isGood, moneyOf, resultLines } from '../failure/result-table.js';
import { openRig, type Rig } from '../failure/rig.js';
import { runBeside } from '../failure/steady.js';
import { recordFault } from '../reliability/record-fault.js';

const START_MS_MAX = 120_000;
const RUN_MS_MAX = 300_000;
/** Makes about 100 requests per second, together with the events of each ad. */
const ADS_PER_SECOND = 42;
/** Budgets that last for the whole test. */
const SCALE = 40;
/** Each process whose second replica is stopped, and for how long. Events are never sent again, so theirs is the longest. */
const STOPS = [
  ['events-service', 30_000],
  ['serving-service', 10_000],
  ['session-service', 6_000],
  ['fraud-service', 6_000],
  ['console-service', 6_000],
] as const;
/** Each process that is killed, and how long its phones are watched afterwards, in milliseconds. */
const KILLS = [
  ['events-service', 8_000],
  ['serving-service', 8_000],
  ['session-service', 0],
  ['fraud-service', 0],
  ['console-service', 0],
] as const;
/** Processes whose share of the calls is checked. console-service has few calls, because it streams its catalog. */
const CALLED = new Set(['events-service', 'serving-service', 'session-service', 'fraud-service']);
const FAILED_SHARE_MAX = 0.01;
/** Requests that failed may be no more than a replica's share of one second; these replicas are two. */
const SHARE_OF_A_SECOND = 1 / 2;
/** Only requests that were sent within this time may fail: one second, and one for a busy machine. */
const FELT_MS_MAX = 2_000;
/** A failed request has its answer, or has none, after this time. */
const ANSWER_MS_MAX = 3_500;
/** Time until a replica gets calls again, and then the time in which its share is counted. */
const BACK_MS = 3_000;
const SHARE_MS = 2_000;
const SHARE_MIN = 0.2;
const REBORN_MS_MAX = 20_000;

interface Failure {
  readonly startedAtMs: number;
  readonly what: string;
}

describe('a replica that hangs or dies beside another', () => {
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

  it('costs at most one second of its share, gets its share again, and leaves the books exact', async () => {
    const faults: string[] = [];
    const steps: string[] = [];
    const seen: { fault: string; failed: number; requests: number; feltMs: number }[] = [];
    /** Does something to a replica and judges the requests from then until all of them have their answers. */
    const hurt = async (fault: string, what: string, deed: () => Promise<void>): Promise<void> => {
      const [beganAtMs, requestsBefore] = [Date.now(), rig.book.counted('requests')];
      const failedBefore = failures.length;
      await deed();
      await sleep(ANSWER_MS_MAX);
      const seconds = (Date.now() - beganAtMs) / 1_000;
      const requests = rig.book.counted('requests') - requestsBefore;
      const failed = failures
        .slice(failedBefore)
        .map((each) => ({ ...each, atMs: each.startedAtMs - beganAtMs }));
      const last = Math.max(0, ...failed.map(({ atMs }) => atMs));
      steps.push(
        `  ${what}: ${failed.length} of ${requests} requests failed, the last sent after ${last} ms`,
      );
      seen.push({ fault, failed: failed.length, requests, feltMs: last });
      const failedMax = Math.min(requests * FAILED_SHARE_MAX, (requests / seconds) * SHARE_OF_A_SECOND);
      if (failed.length > failedMax) faults.push(`${what}: too many failed`);
      for (const { atMs, what: failure } of failed)
        if (atMs > FELT_MS_MAX) faults.push(`${what}: after ${atMs} ms ${failure}`);
    };
    const result = await runBeside(rig, async () => {
      for (const [name, holdMs] of STOPS) {
        const fault = `one of two ${name} processes is stopped for ${holdMs / 1_000} s`;
        await hurt(fault, `${name}-2 hangs for ${holdMs} ms`, () => stopFor(rig, `${name}-2`, holdMs));
        if (CALLED.has(name)) {
          const share = await shareOf(rig, name);
          steps.push(`  ${name}-2 continues: ${Math.round(share * 100)} % of the calls`);
          if (share < SHARE_MIN) faults.push(`${name}-2 does not get its share again`);
        }
      }
      for (const [name, watchedMs] of KILLS)
        await hurt(`one of two ${name} processes is killed`, `${name}-2 is killed`, async () => {
          await kill(rig, `${name}-2`);
          await sleep(watchedMs);
        });
    });
    const told = [...steps, ...resultLines(result)].join('\n');
    process.stdout.write(`${told}\n`);
    expect(faults, told).to.deep.equal([]);
    expect(figuresOf(result.findings), told).to.satisfy(isGood);
    expect(result.book.counted('impressions accepted'), told).to.be.above(500);
    for (const { fault, failed, requests, feltMs } of seen)
      recordFault({
        fault,
        clientsSaw: `${failed} of ${requests} requests failed${failed === 0 ? '' : lastSent(feltMs)}`,
        recoveredMs: null,
        ...moneyOf(result.findings),
      });
  }).timeout(RUN_MS_MAX);
});

function lastSent(feltMs: number): string {
  return `; the last was sent ${feltMs} ms after the fault began`;
}

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

/** The second replica's share of the calls to a service, between 0 and 1. */
async function shareOf(rig: Rig, name: string): Promise<number> {
  await sleep(BACK_MS);
  const read = () => Promise.all([rig.served(name), rig.served(`${name}-2`)]);
  const before = await read();
  await sleep(SHARE_MS);
  const after = await read();
  const [first, second] = [after[0] - before[0], after[1] - before[1]];
  return second / (first + second);
}
