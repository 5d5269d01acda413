import { OPERATOR_KEY } from '@placard/local';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFigures } from './figures.js';
import { readMarket } from './generator/open-api.js';
import { metricsUrlOf, type LoadedProduct } from './loaded-product.js';
import { readMetrics, valueOf } from './measure/metrics.js';
import { costsOf } from './measure/process-cost.js';
import { atTarget, phaseOf, putUnderLoad, type Place } from './place.js';
import type { Run } from './run.js';

/** serving-service with a large catalog. */
export interface CatalogResult {
  readonly campaigns: number;
  /** Time from its start until its index has all campaigns, in milliseconds. */
  readonly startMs: number;
  /** Memory after the start, with the heap of its pod and before any load; null: not known on this system. */
  readonly pssMiB: number | null;
  /** Load without changes of the catalog; `changing` has one changed campaign each second. */
  readonly still: Stretch;
  readonly changing: Stretch;
}

/** A stretch of load on serving-service, with its own metrics. */
export interface Stretch {
  readonly figures: LoadFigures;
  /** Changes applied to the index. */
  readonly changes: number;
  /** Mean duration of a change, in milliseconds; null: there was none. */
  readonly changeMs: number | null;
  /** Longest stall of its event loop, in milliseconds. */
  readonly stallMs: number;
}

const SERVING = 'serving-service';
/** Heap of the service, half of the memory limit like in its pod. */
const HEAPS_MIB = { [SERVING]: 512 };
const MIB = 1_048_576;
const SECOND_MS = 1_000;
const RATE = 200;
const INDEXED = 'placard_serving_index_campaigns';
const INDEXED_MS_MAX = 120_000;
const POLL_MS = 100;
const INDEXING = 'placard_serving_index_update_seconds';
const LAG_MAX = 'nodejs_eventloop_lag_max_seconds';
/** Interval at which Node.js samples its event loop. It is part of the measured lag. */
const LAG_RESOLUTION_MS = 10;

/** Starts serving-service with the catalog, loads it in an open loop, and changes campaigns meanwhile. */
export function runCatalog(run: Run): Promise<CatalogResult> {
  return atTarget('serving', run, (place) => measure(run, place), { heapsMiB: HEAPS_MIB });
}

async function measure({ options, say }: Run, place: Place): Promise<CatalogResult> {
  const { product } = place;
  if (product === null) throw new Error('serving-service must be started here');
  // A process that is stopped before it has the catalog would restart with an older one.
  await untilIndexed(product, options.catalogSize);
  await product.product.stopProcess(SERVING);
  say('catalog: starting serving-service …');
  const startedAtMs = performance.now();
  await product.product.restart(SERVING);
  await untilIndexed(product, options.catalogSize);
  const startMs = performance.now() - startedAtMs;
  const pssMiB = pssOf(product);
  say(`catalog: ready after ${startMs.toFixed(0)} ms; load without changes …`);
  const still = await stretch(place, product, () => Promise.resolve());
  say('catalog: load with a change each second …');
  const changing = await stretch(place, product, campaignChanger(product));
  return { campaigns: options.catalogSize, startMs, pssMiB, still, changing };
}

/** Waits until the index has a number of campaigns. Rejects when the time runs out. */
async function untilIndexed(product: LoadedProduct, campaigns: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < INDEXED_MS_MAX; waitedMs += POLL_MS) {
    if (valueOf(await readMetrics(metricsUrlOf(product, SERVING)), INDEXED) >= campaigns) return;
    await sleep(POLL_MS);
  }
  throw new Error(`${SERVING} does not have ${campaigns} campaigns after ${INDEXED_MS_MAX / SECOND_MS} s`);
}

function pssOf({ product }: LoadedProduct): number | null {
  const bytes = costsOf({ [SERVING]: product.pids[SERVING] ?? 0 })[SERVING]?.pssBytes ?? null;
  return bytes === null ? null : bytes / MIB;
}

async function stretch(place: Place, product: LoadedProduct, change: () => Promise<void>): Promise<Stretch> {
  const metricsUrl = metricsUrlOf(product, SERVING);
  const before = await readMetrics(metricsUrl);
  const usual = phaseOf('serving', place.run.options);
  const stalls: number[] = [];
  const figures = await whileRunning(
    putUnderLoad(place, { ...usual, rate: usual.rate ?? RATE }),
    usual.warmupMs,
    async () => {
      await change();
      // Reading the maximum resets it.
      stalls.push(valueOf(await readMetrics(metricsUrl), LAG_MAX) * SECOND_MS - LAG_RESOLUTION_MS);
    },
  );
  const after = await readMetrics(metricsUrl);
  const grown = (name: string): number => valueOf(after, name) - valueOf(before, name);
  const changes = grown(`${INDEXING}_count`);
  return {
    figures,
    changes,
    changeMs: changes === 0 ? null : (grown(`${INDEXING}_sum`) * SECOND_MS) / changes,
    // The first value covers the time before the load.
    stallMs: Math.max(0, ...stalls.slice(1)),
  };
}

/** Runs an action each second from `fromMs` on, until the work is done; returns the work's result. */
async function whileRunning<Result>(
  work: Promise<Result>,
  fromMs: number,
  each: () => Promise<void>,
): Promise<Result> {
  const over = new AbortController();
  const finished = work.finally(() => over.abort());
  // It is awaited below. Until then a failure must not count as unhandled.
  finished.catch(() => undefined);
  await sleep(fromMs);
  while (!over.signal.aborted) {
    await each();
    await sleep(SECOND_MS);
  }
  return finished;
}

/** Each call of the result changes the bid of another campaign, like an operator. */
function campaignChanger({ catalogFile, product }: LoadedProduct): () => Promise<void> {
  const { advertisers } = readMarket(catalogFile);
  const url = `http://${product.consoleAddress}/manage/v1/catalog/apply`;
  const headers = { Authorization: `Bearer ${OPERATOR_KEY}`, 'Content-Type': 'application/yaml' };
  let next = 0;
  return async () => {
    next += 1;
    const advertiser = advertisers[(next * 7) % advertisers.length];
    const [campaign] = advertiser?.campaigns ?? [];
    if (advertiser === undefined || campaign === undefined) throw new Error('there is no campaign to change');
    const changed = { ...campaign, bid_cpm: (0.05 + next / 1_000).toFixed(3) };
    const file = JSON.stringify({ advertisers: [{ ...advertiser, campaigns: [changed] }] });
    const answer = await fetch(url, { method: 'POST', headers, body: file });
    if (!answer.ok) throw new Error(`a change of ${campaign.id} was refused: ${await answer.text()}`);
  };
}
