import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startProduct, type Product } from '@placard/local';
import { Builds, PROCESSES, type Build, type ProcessName } from '../mixed-releases/builds.js';
import { catalogFile, liveWholeLife } from '../mixed-releases/life.js';
import { buildCommit, recordedRelease, whyNotBuildable } from '../mixed-releases/previous-release.js';

const BUILD_MS_MAX = 400_000;
const ROW_MS_MAX = 120_000;
const NAME_WIDTH = 20;
const CELL_WIDTH = 24;

const release = recordedRelease();

/** Results by process, for the table: one of a build among all others of the other build. */
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

  before('the previous release is built, this one runs', async function () {
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
    await builds.open();
    const catalog = path.join(dir, 'catalog.json');
    await writeFile(catalog, JSON.stringify(catalogFile));
    product = await startProduct({
      catalog,
      dataDir: path.join(dir, 'data'),
      servicesDir: builds.dir,
      // Empty: stores of its own. The tables are those of the current migrations throughout.
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

  /** One process of a build among all others, which are of `around`. */
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

  for (const name of PROCESSES) {
    it(`the previous ${name} works among the current processes`, () =>
      mix(name, 'previous', 'current')).timeout(ROW_MS_MAX);
  }

  it('all of the previous release works on the current tables', async () => {
    note('all', 'previous', 'FAILED');
    for (const name of PROCESSES) await builds.swap(product, name, 'previous');
    await liveWholeLife(product);
    note('all', 'previous', 'ok');
  }).timeout(ROW_MS_MAX);

  for (const name of PROCESSES) {
    it(`the current ${name} works among the previous processes`, () =>
      mix(name, 'current', 'previous')).timeout(ROW_MS_MAX);
  }

  it('the previous placard command works with the current console-service', async () => {
    await builds.swap(product, 'console-service', 'current');
    const script = path.join(dir, 'previous', 'console-service', 'bin', 'placard.mjs');
    const env = { ...process.env, PLACARD_ADDRESS: product.consoleAddress };
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'ledger', 'verify', '--json'], {
      env,
    });
    expect((JSON.parse(stdout) as { readonly ok: boolean }).ok, stdout).to.equal(true);
  }).timeout(ROW_MS_MAX);
});
