import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startProduct, type Product } from '@placard/local';
import { ROOT } from '../driver/placard.js';
import { Builds, LONE_PROCESSES, type Build, type ProcessName } from '../mixed-releases/builds.js';
import { lifeCatalog, liveWholeLife } from '../mixed-releases/life.js';
import { holdAds, openAdsCatalog, sellTheRest } from '../mixed-releases/open-ads.js';
import { buildCommit, recordedRelease, whyNotBuildable } from '../mixed-releases/previous-release.js';

const BUILD_MS_MAX = 400_000;
const ROW_MS_MAX = 120_000;
const NAME_WIDTH = 20;
const CELL_WIDTH = 24;

/** Services that own tables. */
const MIGRATING = ['events-service', 'fraud-service', 'console-service'];
/** The table's name for the processes that are replaced together. */
const BUDGETS = 'events + serving';

const release = recordedRelease();
const run = promisify(execFile);

/** Results for the table, by process: a process of one build among processes of the other build. */
const results = new Map<string, Map<Build, string>>();

function note(row: string, build: Build, result: string): void {
  const cells = results.get(row) ?? new Map<Build, string>();
  results.set(row, cells.set(build, result));
}

function tableLines(): readonly string[] {
  const line = (name: string, previous: string, current: string): string =>
    `    ${name.padEnd(NAME_WIDTH)}${previous.padEnd(CELL_WIDTH)}${current}`;
  const rows = [...results].map(([name, cells]) =>
    line(name, cells.get('previous') ?? '-', cells.get('current') ?? '-'),
  );
  return [line(release.version, 'previous among current', 'current among previous'), ...rows];
}

describe(`releases mixed: ${release.version} (${release.commit.slice(0, 10)}) and this one`, () => {
  let dir = '';
  let product: Product;
  let builds: Builds;

  before('the previous release is built and runs', async function () {
    this.timeout(BUILD_MS_MAX);
    const why = await whyNotBuildable(release);
    if (why !== null) {
      process.stdout.write(`    skipped: ${why}\n`);
      return this.skip();
    }
    dir = await mkdtemp(path.join(os.tmpdir(), 'placard-mixed-'));
    await chmod(dir, 0o711);
    await buildCommit(release.commit, path.join(dir, 'previous'));
    builds = new Builds(path.join(dir, 'services'), path.join(dir, 'previous'));
    await builds.open('previous');
    const catalog = path.join(dir, 'catalog.json');
    const { publishers, advertisers } = openAdsCatalog;
    await writeFile(
      catalog,
      JSON.stringify({
        publishers: [...lifeCatalog.publishers, ...publishers],
        advertisers: [...lifeCatalog.advertisers, ...advertisers],
      }),
    );
    product = await startProduct({
      catalog,
      dataDir: path.join(dir, 'data'),
      servicesDir: builds.dir,
      // Empty: the product starts its own stores. They have the tables of the previous release until the upgrade.
      env: { DATABASE_URL: '', REDIS_URL: '', MIN_CLICK_DELAY_MS: '0' },
    });
  });

  after('all is stopped and removed', async function () {
    this.timeout(ROW_MS_MAX);
    if (dir === '') return;
    process.stdout.write(`${['', ...tableLines(), ''].join('\n')}\n`);
    await (product as Product | undefined)?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  /** Tests one process of a build among processes of the build `around`. */
  async function mix(name: ProcessName, build: Build, around: Build): Promise<void> {
    note(name, build, 'FAILED');
    await builds.swap(product, name, build);
    try {
      await liveWholeLife(product);
      note(name, build, 'ok');
    } finally {
      await builds.swap(product, name, around);
    }
  }

  /** Tests the processes that keep budgets, of a build, among processes of the build `around`. */
  async function mixBudgets(build: Build, around: Build): Promise<void> {
    note(BUDGETS, build, 'FAILED');
    await builds.swapBudgets(product, build);
    try {
      await liveWholeLife(product);
      note(BUDGETS, build, 'ok');
    } finally {
      await builds.swapBudgets(product, around);
    }
  }

  /** The upgrade from the previous release by docs/deploying.md. */
  async function upgrade(): Promise<void> {
    await builds.swapBudgets(product, 'current', async () => {
      for (const name of MIGRATING) {
        const script = path.join(ROOT, name, 'dist', 'migrate.js');
        const url = product.addresses.databaseUrls[name];
        await run(process.execPath, [script], { env: { ...process.env, DATABASE_URL: url } });
      }
    });
  }

  it('an upgrade of the previous release pays the open ads and sells exactly the rest of a budget', async () => {
    note('upgrade', 'current', 'FAILED');
    await liveWholeLife(product);
    const held = await holdAds(product);
    await upgrade();
    await liveWholeLife(product);
    await sellTheRest(product, held);
    for (const name of LONE_PROCESSES) await builds.swap(product, name, 'current');
    await liveWholeLife(product);
    note('upgrade', 'current', 'ok');
  }).timeout(ROW_MS_MAX);

  for (const name of LONE_PROCESSES) {
    it(`the previous ${name} works among the current processes`, () =>
      mix(name, 'previous', 'current')).timeout(ROW_MS_MAX);
  }

  it('the previous events-service and serving-service work together among the current processes', () =>
    mixBudgets('previous', 'current')).timeout(ROW_MS_MAX);

  it('all of the previous release works on the current tables', async () => {
    note('all', 'previous', 'FAILED');
    await builds.swapBudgets(product, 'previous');
    for (const name of LONE_PROCESSES) await builds.swap(product, name, 'previous');
    await liveWholeLife(product);
    note('all', 'previous', 'ok');
  }).timeout(ROW_MS_MAX);

  for (const name of LONE_PROCESSES) {
    it(`the current ${name} works among the previous processes`, () =>
      mix(name, 'current', 'previous')).timeout(ROW_MS_MAX);
  }

  it('the current events-service and serving-service work together among the previous processes', () =>
    mixBudgets('current', 'previous')).timeout(ROW_MS_MAX);

  it('the previous placard command works with the current console-service', async () => {
    await builds.swap(product, 'console-service', 'current');
    const script = path.join(dir, 'previous', 'console-service', 'bin', 'placard.mjs');
    const env = { ...process.env, PLACARD_ADDRESS: product.consoleAddress };
    const { stdout } = await run(process.execPath, [script, 'ledger', 'verify', '--json'], { env });
    expect((JSON.parse(stdout) as { readonly ok: boolean }).ok, stdout).to.equal(true);
  }).timeout(ROW_MS_MAX);
});
