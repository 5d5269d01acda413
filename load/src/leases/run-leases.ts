import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLoadedProduct, type LoadedProduct } from '../loaded-product.js';
import { costsOf } from '../measure/process-cost.js';
import { rootDir } from '../root-dir.js';
import type { Run } from '../run.js';
import { openBooks, type Books } from './books.js';
import { makeLeasedCampaigns } from './campaigns.js';
import type { LeaseFigures, ReplicaFigures } from './figures.js';
import type { LeaseOrder, LeaseReply } from './messages.js';
import { AD_TTL_MS } from './replica.js';

const REPLICAS = 10;
/** Ad requests per second over all replicas. */
const RATE = 1_000;
/** Campaigns of the product's own catalog, which get no requests. */
const CATALOG_SIZE = 10;
/** Processes that are not needed. They are stopped, so that they are not measured. */
const IDLE = ['gateway', 'session-service', 'serving-service', 'fraud-service', 'console-service'] as const;
/** Minutes whose leases are open: the life of an ad and the grace. */
const PAST_MINUTES = 31;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const GENERATOR = path.join(rootDir, 'load', 'dist', 'leases', 'main.js');

/** Runs replicas that exchange leases with events-service and Postgres, and measures the cost. */
export async function runLeases(run: Run): Promise<LeaseFigures> {
  const { options, say, stopping } = run;
  say('leases: starting the product …');
  const product = await openLoadedProduct({
    catalog: null,
    catalogSize: CATALOG_SIZE,
    seed: options.seed,
    stubFor: null,
    profiles: false,
    env: {},
    stopping,
  });
  const books = openBooks(product.product.dataDir);
  try {
    for (const name of IDLE) await product.product.stopProcess(name);
    return await measure({ product, books }, run);
  } finally {
    await books.close();
    await product.close();
  }
}

interface Place {
  readonly product: LoadedProduct;
  readonly books: Books;
}

async function measure({ product, books }: Place, run: Run): Promise<LeaseFigures> {
  const { options, say, stopping } = run;
  const { catalogSize: campaigns, seed } = options;
  const rate = options.rate ?? RATE;
  say(`leases: ${campaigns} campaigns; making the leases of the last ${PAST_MINUTES} minutes …`);
  await books.makePast({
    campaigns: makeLeasedCampaigns(campaigns, seed).map(({ campaign, advertiser }) => ({
      advertiserId: advertiser.id,
      campaignId: campaign.id,
      costNanos: campaign.costNanos,
    })),
    minutes: PAST_MINUTES,
    leasesPerMinute: leasesPerMinute(rate, campaigns),
    adTtlMs: AD_TTL_MS,
  });
  const generator = new Generator(stopping);
  try {
    const address = product.addressOf('events');
    await generator.order({
      kind: 'begin',
      assignment: { address, campaigns, replicas: REPLICAS, rate, seed },
    });
    say(
      `leases: ${REPLICAS} replicas sell ${rate} ads a second; warm-up of ${options.warmupMs / SECOND_MS} s …`,
    );
    await sleep(options.warmupMs, undefined, { signal: stopping });
    await generator.order({ kind: 'count' });
    const [before, cpuBefore, startedAt] = [
      await books.read(),
      costsOf(product.product.pids),
      performance.now(),
    ];
    say(`leases: measuring for ${options.durationMs / SECOND_MS} s …`);
    await sleep(options.durationMs, undefined, { signal: stopping });
    const [cpuAfter, measuredMs] = [costsOf(product.product.pids), performance.now() - startedAt];
    const after = await books.read();
    const loadAfter = Math.round((os.loadavg()[0] ?? 0) * 100) / 100;
    const cores = Object.entries(cpuAfter).map(([name, { cpuSeconds }]) => {
      const used = cpuSeconds - (cpuBefore[name]?.cpuSeconds ?? 0);
      return [name, (used * SECOND_MS) / measuredMs] as const;
    });
    const replica = await generator.figures();
    const measured = { campaigns, replicas: REPLICAS, measuredMs, replica, before, after, loadAfter };
    return { ...measured, cores: Object.fromEntries(cores) };
  } finally {
    generator.close();
  }
}

/** Expected number of replicas that sell at least one ad of a campaign in a minute. Ads are drawn at random. */
function leasesPerMinute(rate: number, campaigns: number): number {
  const ads = (rate * MINUTE_MS) / SECOND_MS / campaigns / REPLICAS;
  return REPLICAS * (1 - Math.exp(-ads));
}

/** The process of the replicas. */
class Generator {
  readonly #child: ChildProcess;

  constructor(stopping: AbortSignal) {
    this.#child = fork(GENERATOR, { serialization: 'advanced', execArgv: [] });
    stopping.addEventListener('abort', () => this.close(), { once: true });
  }

  async order(order: LeaseOrder): Promise<LeaseReply> {
    this.#child.send(order);
    const ended = once(this.#child, 'exit').then(() => {
      throw new Error('the replicas ended by themselves');
    });
    const [reply] = (await Promise.race([once(this.#child, 'message'), ended])) as [LeaseReply];
    ended.catch(() => undefined);
    return reply;
  }

  async figures(): Promise<ReplicaFigures> {
    const reply = await this.order({ kind: 'end' });
    if (reply.kind !== 'figures') throw new Error('the replicas answered without figures');
    return reply.figures;
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
