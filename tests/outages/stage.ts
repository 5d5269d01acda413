import { startProduct } from '@placard/local';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { creative, freshAppKey, threePlacements, type AppEntry } from '../driver/catalog.js';
import { makeCertificates } from '../driver/certificates.js';
import { databaseUrlOf } from '../driver/database.js';
import { runPlacard } from '../driver/placard.js';
import { portsOf } from '../driver/ports.js';
import { familyOf, signalAll } from '../failure/faults/processes.js';
import type { Outage, Stage } from './outage.js';
import { Phones } from './phones.js';
import type { Recording } from './recording.js';
import { Scraper, type Target } from './scrape.js';

/** Healthy seconds before each outage. */
const BEFORE_SCRAPES = 8;
const WARM_UP_MS = 3_000;
/** As long as the certificates of deploy/k8s. */
const VALID_DAYS = 30;
const SETTINGS = {
  // One client may repeat an event, and report fallbacks, without end, since outages need many of them. Sessions are few.
  RATE_LIMITS: JSON.stringify({
    'sdk.initialize': { network: 60 },
    events: { request_id: 0, network: 0 },
    'events.fallback': { session: 0, network: 0 },
  }),
  // Small groups: a backlog is many of them.
  SETTLEMENT_ROWS_MAX: '5',
};

type OnRecorded = (outage: Outage, recording: Recording) => void;

/**
 * Starts a product and phones, and records the outages one after the other. Those of a product with certificates come last, in
 * another product.
 */
export async function recordOutages(outages: readonly Outage[], onRecorded: OnRecorded): Promise<void> {
  for (const certified of [false, true]) {
    const ofProduct = outages.filter((outage) => (outage.certified ?? false) === certified);
    if (ofProduct.length > 0) await recordInProduct(ofProduct, certified, onRecorded);
  }
}

async function recordInProduct(
  outages: readonly Outage[],
  certified: boolean,
  onRecorded: OnRecorded,
): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'placard-outage-'));
  const [app, quietApp] = [appEntry('app_busy'), appEntry('app_quiet')];
  const catalog = path.join(dataDir, 'catalog.json');
  await writeFile(catalog, JSON.stringify(catalogOf([app, quietApp])));
  // Empty: the product starts its own stores, so that they can be stopped.
  const env = { ...SETTINGS, DATABASE_URL: '', REDIS_URL: '' };
  const certificatesDir = certified ? path.join(dataDir, 'certificates') : undefined;
  const certificates = certificatesDir === undefined ? null : await makeCertificates(certificatesDir);
  await certificates?.issueAll(VALID_DAYS);
  const product = await startProduct({ dataDir, catalog, env, certificatesDir });
  const sql = new pg.Pool({ connectionString: await databaseUrlOf(dataDir), max: 4 });
  sql.on('error', () => undefined);
  const phones = new Phones(product.gatewayUrl, app);
  try {
    const targets = await targetsOf(dataDir);
    phones.start();
    await sleep(WARM_UP_MS);
    const parts = { product, certificates, phones, quietApp, sql, dataDir, targets };
    for (const outage of outages) onRecorded(outage, await recordOne(outage, parts));
  } finally {
    phones.stop();
    await sql.end();
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Parts extends Pick<Stage, 'product' | 'certificates' | 'phones' | 'quietApp' | 'sql'> {
  readonly dataDir: string;
  readonly targets: readonly Target[];
}

async function recordOne(outage: Outage, { dataDir, targets, ...parts }: Parts): Promise<Recording> {
  const { product } = parts;
  const scraper = new Scraper(targets);
  const stage: Stage = {
    ...parts,
    async placard(args, input) {
      const change = path.join(dataDir, 'change.json');
      if (input !== undefined) await writeFile(change, JSON.stringify(input.file));
      const { status, stderr } = await runPlacard(
        product.consoleAddress,
        input === undefined ? args : [...args, change],
      );
      return status === 0 ? null : stderr;
    },
    signal: (name, signal) => signalAll(familyOf(product.pids[name] ?? 0), signal),
    async relaunch(name) {
      await product.kill(name);
      await product.restart(name);
    },
    watch: (target) => scraper.watch(target),
    passes: (scrapes) => scraper.passes(scrapes),
  };
  await scraper.passes(BEFORE_SCRAPES);
  const brokenFrom = scraper.scrapes - 1;
  try {
    await outage.happen(stage);
    return { what: outage.what, brokenFrom, ...scraper.taken() };
  } finally {
    await outage.mend(stage);
    await scraper.end();
  }
}

/** Every process, from the ports in the data folder: `gateway.metrics`. */
async function targetsOf(dataDir: string): Promise<readonly Target[]> {
  return Object.entries(await portsOf(dataDir))
    .filter(([name]) => /^[a-z-]+\.metrics$/.test(name))
    .map(([name, port]) => {
      const job = name.replace('.metrics', '');
      return { job, instance: job, port };
    });
}

function appEntry(id: string): AppEntry {
  return {
    id,
    app_key: freshAppKey(),
    package_name: `com.example.${id}`,
    name: id,
    approved: true,
    placements: threePlacements(),
  };
}

/** A catalog in which every request gets an ad. */
export function catalogOf(apps: readonly AppEntry[]) {
  const campaign = {
    id: 'cmp_outage',
    name: 'Campaign',
    status: 'active',
    bid_cpm: '2.50',
    creatives: [creative('cr_outage', 'banner')],
  };
  return {
    publishers: [{ id: 'pub_outage', name: 'Publisher', approved: true, revenue_share: '0.7', apps }],
    advertisers: [
      { id: 'adv_outage', name: 'Advertiser', approved: true, balance: '100000.00', campaigns: [campaign] },
    ],
  };
}
