import { execFile } from 'node:child_process';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startProduct, type Product } from '@placard/local';
import { expect } from 'chai';
import type { Verification } from '../driver/books.js';
import { clusterOf } from '../driver/database.js';
import { readPlacard } from '../driver/placard.js';
import { recordFault } from '../reliability/record-fault.js';
import {
  backUp,
  catalog,
  inDatabase,
  keepKeys,
  keepShowing,
  makeFolder,
  PRICE,
  spentOf,
  untilServing,
  type Shown,
} from '../restore/drill.js';

const run = promisify(execFile);

/** Postgres archives its log at least this often. */
const ARCHIVE_TIMEOUT_SECONDS = 5;
/** Time in which a finished segment must be in the archive. */
const ARCHIVE_MS_MAX = 5_000;
const TRAFFIC_MS = 8_000;
const START_MS_MAX = 120_000;
const DRILL_MS_MAX = 240_000;
/** The clocks of the test and of Postgres are the same. An impression is answered this long after its commit at most. */
const ANSWER_MS_MAX = 2_000;

describe('the archive of Postgres, when the disk is lost', () => {
  const folders: string[] = [];
  let backup = '';
  let archive = '';
  let catalogFile = '';
  let product: Product | null = null;
  let shown: readonly Shown[] = [];
  /** A moment in the middle of the traffic, epoch milliseconds. */
  let momentMs = 0;
  let lostAtMs = 0;

  before('the disk is lost under traffic', async () => {
    const data = await openFolder();
    backup = await openFolder();
    archive = await openFolder();
    catalogFile = path.join(backup, 'catalog.json');
    await writeFile(catalogFile, JSON.stringify(catalog));
    product = await startProduct({ dataDir: data, catalog: catalogFile });
    await archiveTo(product, archive);
    const traffic = keepShowing(product, { endsOnFailure: true });
    await backUp(data, backup);
    await sleep(TRAFFIC_MS);
    momentMs = Date.now();
    await sleep(TRAFFIC_MS);
    lostAtMs = Date.now();
    await product.kill('postgres');
    shown = await traffic.stop();
    await rm(clusterOf(data), { recursive: true });
    await product.stop();
  }).timeout(START_MS_MAX);

  afterEach(() => product?.stop()).timeout(START_MS_MAX);
  after(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

  async function openFolder(): Promise<string> {
    const dir = await makeFolder();
    folders.push(dir);
    return dir;
  }

  /** Starts the product on the backup and the archived log, and waits until an impression is accepted. */
  async function restore(
    target: readonly string[],
  ): Promise<{ readonly dataDir: string; readonly tookMs: number }> {
    const startedAtMs = Date.now();
    const dataDir = await openFolder();
    await copyBackup(backup, dataDir);
    const settings = [
      'archive_mode = off',
      // No connection sees the database before the log is replayed.
      'hot_standby = off',
      `restore_command = 'cp ${archive}/%f %p'`,
      "recovery_target_action = 'promote'",
      ...target,
    ];
    await appendFile(path.join(clusterOf(dataDir), 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    await writeFile(path.join(clusterOf(dataDir), 'recovery.signal'), '');
    product = await startProduct({ dataDir, catalog: catalogFile });
    await untilServing(product);
    return { dataDir, tookMs: Date.now() - startedAtMs };
  }

  /** Accepted impressions that the restored product lacks. The books of what it has must add up. */
  async function missingIn(dataDir: string): Promise<readonly Shown[]> {
    const { ok, checks } = await readPlacard<Verification>(
      product!.consoleAddress,
      ...['ledger', 'verify', '--full', '--wait'],
    );
    expect(ok, JSON.stringify(checks)).to.equal(true);
    const { rows } = await inDatabase(dataDir, (client) =>
      client.query<{ id: string }>(
        "SELECT request_id AS id FROM events.event WHERE type = 'impression' AND verdict = 'accepted'",
      ),
    );
    expect(await spentOf(product!), 'each impression is paid once').to.equal(PRICE * BigInt(rows.length));
    const kept = new Set(rows.map(({ id }) => id));
    return shown.filter(({ requestId }) => !kept.has(requestId));
  }

  it('restores all but the last seconds, and the books add up', async () => {
    const { dataDir, tookMs } = await restore([]);
    const missing = await missingIn(dataDir);
    const oldestMs = Math.min(lostAtMs, ...missing.map(({ atMs }) => atMs));
    const lostMs = lostAtMs - oldestMs;
    process.stdout.write(
      `    ${shown.length} impressions, ${missing.length} lost of the last ${lostMs} ms; serves after ${tookMs} ms\n`,
    );
    expect(lostMs).to.be.at.most(ARCHIVE_TIMEOUT_SECONDS * 1_000 + ARCHIVE_MS_MAX);
    expect(shown.length - missing.length, 'impressions that were restored').to.be.above(100);
    recordFault({
      fault: `the disk of Postgres is lost and only the archive is left (archive_timeout ${ARCHIVE_TIMEOUT_SECONDS} s)`,
      clientsSaw: `impressions of the last ${(lostMs / 1_000).toFixed(1)} s were lost after their answer`,
      recoveredMs: tookMs,
      lost: missing.length,
      doubled: 0,
      overspent: 0,
    });
  }).timeout(DRILL_MS_MAX);

  it('restores a chosen moment: all that was answered before, nothing that came after', async () => {
    const { dataDir } = await restore([`recovery_target_time = '${instantOf(momentMs)}'`]);
    const missing = new Set(await missingIn(dataDir));
    for (const each of shown) {
      if (each.atMs <= momentMs)
        expect(missing.has(each), `answered ${momentMs - each.atMs} ms before`).to.equal(false);
      if (each.atMs > momentMs + ANSWER_MS_MAX) expect(missing.has(each), 'came later').to.equal(true);
    }
    expect(missing.size).to.be.within(1, shown.length - 1);
  }).timeout(DRILL_MS_MAX);
});

/** An instant in UTC as Postgres's configuration reads it, which takes no `Z`. */
function instantOf(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00');
}

/** Makes the Postgres of a running product archive its log, which needs a restart. */
async function archiveTo(product: Product, archive: string): Promise<void> {
  const { dataDir } = product;
  await run('chown', ['--reference', clusterOf(dataDir), archive]);
  await inDatabase(dataDir, async (client) => {
    await client.query("ALTER SYSTEM SET archive_mode = 'on'");
    await client.query(`ALTER SYSTEM SET archive_command = 'cp %p ${archive}/%f'`);
    await client.query(`ALTER SYSTEM SET archive_timeout = '${ARCHIVE_TIMEOUT_SECONDS}s'`);
  });
  await product.stopProcess('postgres');
  await product.restart('postgres');
  await untilServing(product);
}

async function copyBackup(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(clusterOf(to)), { recursive: true });
  await run('cp', ['-a', clusterOf(from), clusterOf(to)]);
  await run('chown', ['--reference', clusterOf(from), path.dirname(clusterOf(to))]);
  await keepKeys(from, to);
}
