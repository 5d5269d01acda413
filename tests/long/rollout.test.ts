import { expect } from 'chai';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@placard/service-kit/testing';
import { readStranded } from '../failure/money-back.js';
import { figuresOf, isGood, moneyOf, resultLines } from '../failure/result-table.js';
import { openRig, type Rig } from '../failure/rig.js';
import { runBeside } from '../failure/steady.js';
import { recordFault } from '../reliability/record-fault.js';

const START_MS_MAX = 120_000;
const RUN_MS_MAX = 300_000;
const DRAIN_SECONDS = 2;
/**
 * Ad requests per second: with their events some 200 requests a second. Two cores carry that while processes start and stop. A
 * slower machine gets fewer, since the phones wait for their answers. None may fail.
 */
const ADS_PER_SECOND = 90;
/** Scale of the budgets: enough for all rounds. */
const SCALE = 40;
/** Number of replacements of each process. */
const ROUNDS = 2;
/** Processes in the order in which a release replaces them: servers before their clients. */
const PROCESSES = [
  'console-service',
  'fraud-service',
  'events-service',
  'settlement-worker',
  'session-service',
  'serving-service',
  'gateway',
];
const CREATIVE = '/creatives/test/banner.png';
const CREATIVE_PAUSE_MS = 20;
const STEADY_MS = 1_000;
const GONE_MS = 4_000;

describe('a rollout of every process under steady traffic', () => {
  let rig: Rig;
  let current = 'nothing';
  const startedAtMs = Date.now();
  const troubles: string[] = [];
  const onTrouble = (what: string): void => {
    troubles.push(`${Date.now() - startedAtMs} ms, ${current}: ${what}`);
  };

  before('the product runs', async () => {
    rig = await openRig({
      seed: 7,
      scale: SCALE,
      adTtlSeconds: 1_800,
      adsPerSecond: ADS_PER_SECOND,
      holdMsMax: 3_000,
      topology: { replicas: 2, redisCluster: null },
      env: { DRAIN_SECONDS: String(DRAIN_SECONDS) },
      onTrouble,
    });
    // The second process of each pair replaces the first, and in the next round the first replaces the second.
    await Promise.all(PROCESSES.map((name) => rig.product.stopProcess(`${name}-2`)));
  }).timeout(START_MS_MAX);
  // The start may have failed.
  after('the product is stopped', () => (rig as Rig | undefined)?.close()).timeout(START_MS_MAX);

  it('fails no request, breaks no connection, strands no money, and keeps the books exact', async () => {
    const steps: string[] = [];
    const replace = async (service: string, old: string, fresh: string): Promise<void> => {
      const beganAtMs = Date.now();
      const seenBefore = [rig.book.counted('requests'), troubles.length];
      current = `${fresh} starts`;
      await rig.product.restart(fresh);
      // A new pod counts as available once balancers have had time to find it (minReadySeconds).
      await until(() => rig.balancers.get(service)?.usesAll() ?? true);
      current = `${old} stops`;
      const stoppedAtMs = Date.now();
      await rig.product.stopProcess(old);
      const tookMs = Date.now() - stoppedAtMs;
      current = `${old} is gone`;
      await sleep(STEADY_MS);
      const [requests, failed] = [
        rig.book.counted('requests') - seenBefore[0]!,
        troubles.length - seenBefore[1]!,
      ];
      steps.push(
        row([
          `${old} → ${fresh}`,
          perSecond(requests, beganAtMs),
          `${failed} failed`,
          `left in ${tookMs} ms`,
        ]),
      );
    };
    const watching = new AbortController();
    const creatives = fetchCreatives(rig.url, watching.signal, onTrouble);
    let stranded: ReadonlyMap<string, bigint> = new Map();
    const result = await runBeside(rig, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [old, fresh] = round % 2 === 0 ? ['', '-2'] : ['-2', ''];
        for (const name of PROCESSES) await replace(name, `${name}${old}`, `${name}${fresh}`);
      }
      // By then replaced replicas count as gone.
      await sleep(GONE_MS);
      stranded = await readStranded(rig.tables);
    });
    watching.abort();
    const fetched = await creatives;
    const told = [...steps, `  creative files fetched ${fetched}`, ...resultLines(result)].join('\n');
    process.stdout.write(`${told}\n`);
    expect(troubles.join('\n'), told).to.equal('');
    expect(isGood(figuresOf(result.findings)), told).to.equal(true);
    expect([...stranded.values()], `held back by each replica that was replaced; ${told}`).to.deep.equal(
      Array.from({ length: ROUNDS }, () => 0n),
    );
    expect(rig.product.output(), 'nothing had to be killed').not.to.include('does not stop');
    expect(result.book.counted('impressions accepted'), told).to.be.above(500);
    expect(fetched, told).to.be.above(500);
    recordFault({
      fault: `every process is replaced by a new one, ${ROUNDS} times, at ${ADS_PER_SECOND} ads a second`,
      clientsSaw: `0 of ${result.book.counted('requests')} requests failed`,
      recoveredMs: 0,
      ...moneyOf(result.findings),
    });
  }).timeout(RUN_MS_MAX);
});

function perSecond(requests: number, sinceMs: number): string {
  return `${Math.round((requests * 1_000) / (Date.now() - sinceMs))} requests/s`;
}

function row(cells: readonly string[]): string {
  return `  ${cells.map((cell, index) => cell.padEnd(index === 0 ? 46 : 18)).join('')}`;
}

/** Fetches a creative file over a kept connection repeatedly until the signal; returns how often. */
async function fetchCreatives(
  baseUrl: string,
  signal: AbortSignal,
  onTrouble: (what: string) => void,
): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let count = 0;
  while (!signal.aborted) {
    const fault = await fetchOnce(`${baseUrl}${CREATIVE}`, agent);
    if (fault !== null) onTrouble(`${CREATIVE} ${fault}`);
    count += 1;
    await sleep(CREATIVE_PAUSE_MS);
  }
  agent.destroy();
  return count;
}

/** Fetches the file once; returns the fault, or null when it arrived completely. */
function fetchOnce(url: string, agent: http.Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent }, (response) => {
      response.on('error', (error) => resolve(error.message));
      response.on('end', () => resolve(response.statusCode === 200 ? null : `${response.statusCode}`));
      response.resume();
    });
    request.on('error', (error) => resolve(error.message));
  });
}
