import { startProduct, type Product } from '@placard/local';
import { asPublisherId } from '@placard/service-kit/pure';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openLedgerStore } from '../events-service/src/ledger/store/ledger.pg.js';
import type { AppEntry } from './driver/catalog.js';
import { expectAccepted, fillOf } from './driver/expect.js';
import { becomes, pass, Phone } from './driver/phone.js';
import { ROOT, runPlacard } from './driver/placard.js';
import { chaptersOf, patternOf, versionsIn, type ShownCommand, type Step } from './operating/document.js';

const START_MS_MAX = 120_000;
/** Time until the product has counted what happened, and knows a changed catalog. */
const COUNTED_MS_MAX = 10_000;
/** Pause between two attempts. */
const PAUSE_MS = 50;
/** The ad requests of the phones. */
const REQUESTS = 20;
/** Commands that only read. They are repeated, because counts come a moment after the events. */
const READING = ['explain', 'health', 'report'];

/** The app of the document. */
const APP: AppEntry = {
  id: 'app_jass',
  app_key: 'app_jassABCDEFGHIJ0123456789',
  package_name: 'com.alpen.jass',
  name: 'Jass',
  placements: [],
};

const [LAST_MONTH, THIS_MONTH] = monthsAt(Date.now());
/** The document, with the months of the test for its own. */
const MARKDOWN = readFileSync(path.join(ROOT, 'docs', 'operating.md'), 'utf8')
  .replaceAll('2026-11', THIS_MONTH)
  .replaceAll('2026-10', LAST_MONTH);

function monthsAt(nowMs: number): readonly [last: string, present: string] {
  const now = new Date(nowMs);
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return [last.toISOString().slice(0, 7), now.toISOString().slice(0, 7)];
}

describe('docs/operating.md', () => {
  let database: TestDatabase;
  let product: Product;
  let folder: string;
  /** The versions of the catalog, by those of the document. */
  const versions = new Map<string, string>();

  before('an installation runs, whose books begin last month', async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'placard-operating-'));
    const empty = path.join(folder, 'empty.json');
    await writeFile(empty, '{}');
    database = await openTestDatabase({ migrations: [] });
    const redis = new URL(process.env['TEST_REDIS_URL'] ?? '');
    redis.pathname = '/9';
    product = await startProduct({
      catalog: empty,
      env: {
        DATABASE_URL: database.url,
        REDIS_URL: redis.href,
        COUNTRY_HEADER: 'x-country',
      },
    });
    await bookLastMonth();
  }).timeout(START_MS_MAX);
  after(async () => {
    await product.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }).timeout(START_MS_MAX);

  /** Books the adjustment of the document a month early. Its command then finds it in the ledger and books nothing. */
  async function bookLastMonth(): Promise<void> {
    await openLedgerStore(database.pool).recordAdjustment({
      accountKind: 'publisher',
      accountId: asPublisherId('pub_alpen'),
      amountNanos: 120_000_000_000n,
      reference: 'GUA-10',
      reason: 'guaranteed minimum',
      atMs: Date.parse(`${LAST_MONTH}-20T12:00:00Z`),
    });
  }

  async function run(step: Step): Promise<void> {
    if (step.kind === 'file') await writeFile(path.join(folder, step.name), step.text);
    else if (step.kind === 'phones') await askForAds(product.gatewayUrl);
    else await runShown(step);
  }

  async function runShown({ args, output }: ShownCommand): Promise<void> {
    const pattern = patternOf(output);
    const isReading = READING.includes(args[0] ?? '');
    let printed = '';
    await becomes(isReading ? COUNTED_MS_MAX : 0, async () => {
      printed = await outputOf(args);
      return pattern.test(printed);
    });
    expect(printed, `placard ${args.join(' ')}`).to.match(pattern);
    const actual = pattern.exec(printed)?.slice(1) ?? [];
    versionsIn(output).forEach((version, index) => versions.set(version, actual[index] ?? ''));
  }

  async function outputOf(args: readonly string[]): Promise<string> {
    const actual = args.map((arg) => {
      if (args[1] === 'revert') return versions.get(arg) ?? arg;
      return arg.endsWith('.yaml') ? path.join(folder, arg) : arg;
    });
    const env = { PLACARD_USER_PASSWORD: 'a long enough password' };
    const { stdout, stderr } = await runPlacard(product.consoleAddress, actual, env);
    return `${stderr}${stdout}`.replaceAll(`${folder}${path.sep}`, '');
  }

  for (const { title, steps } of chaptersOf(MARKDOWN))
    it(`shows what its commands print: ${title}`, async () => {
      for (const step of steps) await run(step);
    });
});

/** A phone in Austria asks for banners and shows what it gets. */
async function askForAds(url: string): Promise<void> {
  const phone = await openPhone(url);
  let answered = 0;
  while (answered < REQUESTS) {
    const answer = await phone.request('banner', { language: 'de', android_version: '14' });
    // Until the catalog is everywhere the placement may be unknown.
    if (answer.status !== 200) {
      await pass(PAUSE_MS);
      continue;
    }
    answered += 1;
    if (answer.body.status === 'fill') expectAccepted(await phone.impression(fillOf(answer)));
  }
}

/** Opens a session as soon as the app is known. */
async function openPhone(url: string): Promise<Phone> {
  const until = performance.now() + COUNTED_MS_MAX;
  for (;;) {
    try {
      return await Phone.open(url, APP, { country: 'AT' });
    } catch (error) {
      if (performance.now() >= until) throw error;
      await pass(PAUSE_MS);
    }
  }
}
