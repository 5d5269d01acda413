import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { freshAppKey, threePlacements, type AppEntry } from '../driver/catalog.js';
import { expectAccepted, expectError, expectNoFill, expectRejected, fillOf } from '../driver/expect.js';
import { send, type Answer } from '../driver/http.js';
import { becomes, inTurns, Phone } from '../driver/phone.js';
import { runPlacard } from '../driver/placard.js';
import { portsOf } from '../driver/ports.js';
import type { Fill } from '../driver/wire.js';
import { outcomeOf } from '../failure/client.js';
import { openTables } from '../failure/ledger-facts.js';
import { familyOf, servicePids, signalAll } from '../failure/faults/processes.js';
import { figuresOf, isGood, moneyOf, resultLines } from '../failure/result-table.js';
import { openRig, readFactsAtEnd, type Rig } from '../failure/rig.js';
import { openStandby, type Standby } from '../failure/standby.js';
import type { RunResult } from '../failure/run.js';
import { runBeside } from '../failure/steady.js';
import { recordFault } from '../reliability/record-fault.js';
import { countedLines, unexpectedLines, type Trouble } from '../failure/faults/troubles.js';

const START_MS_MAX = 120_000;
const RUN_MS_MAX = 180_000;
/** Longest time until every process is ready again. */
const READY_MS_MAX = 10_000;
const LOST_MS_MAX = 10_000;
/** Longest time until a standby follows again. It tries to connect every five seconds. */
const FOLLOWS_MS_MAX = 20_000;
const CATALOG_MS_MAX = 5_000;
/** Longest time until an ad is filled. A new standby makes writes slow for a moment, so no money may be in hand. */
const TAKEN_MS_MAX = 10_000;
/** Processes with a pool of connections. */
const WITH_TABLES = ['events-service', 'settlement-worker', 'fraud-service', 'console-service'];
/** Allowed troubles while no write is answered: events, which phones repeat. Sessions and ad requests must work. */
const RETRIED = /^\/events\/(?:impression|click|reward|fallback) (?:500 |took too long)/;

/** An ad of one of this test's own phones. */
interface Held {
  readonly phone: Phone;
  readonly fill: Fill;
}

describe('the failover to a synchronous standby of Postgres', () => {
  let rig: Rig;
  let standby: Standby;
  let phase = 'before';
  const troubles: Trouble[] = [];

  before('the product runs', async () => {
    rig = await openRig({
      seed: 12,
      scale: 4,
      adTtlSeconds: 1_800,
      adsPerSecond: 20,
      holdMsMax: 5_000,
      onTrouble: (what) => void troubles.push({ phase, what }),
    });
  }).timeout(START_MS_MAX);
  // The starts may have failed.
  after('the product is stopped, then the standby', async () => {
    await (rig as Rig | undefined)?.close();
    await (standby as Standby | undefined)?.close();
  }).timeout(START_MS_MAX);

  it('fails only events until it is promoted, loses no answered impression, restarts no process, and keeps the books exact', async () => {
    const pids = servicePids(rig.product.dataDir);
    let pidsAfter: typeof pids = {};
    const steps: string[] = [];
    let recoveredMs: number | null = null;
    const since = (startedAtMs: number): string => `${Date.now() - startedAtMs} ms`;
    const drill = async (): Promise<void> => {
      phase = 'the standby is made';
      standby = await openStandby(rig.product.dataDir);
      phase = 'the standby follows';
      const shown = await takeAds(rig, 20);
      for (const ad of shown) expectAccepted(await show(rig, ad));
      const [waiting, late, down, early, ...open] = (await takeAds(rig, 10)) as [Held, Held, Held, Held];

      phase = 'the standby is away';
      standby.link.set({ kind: 'blackhole' });
      expectError(await show(rig, waiting), 500, 'server_error');
      standby.link.set({ kind: 'none' });
      const cameBackAtMs = Date.now();
      await untilTaken(rig, waiting, FOLLOWS_MS_MAX);
      steps.push(`  a standby that came back was followed by events after ${since(cameBackAtMs)}`);

      phase = 'the standby is cut off';
      standby.link.set({ kind: 'blackhole' });
      // It is committed only on the primary, which will be lost.
      expectError(await show(rig, late), 500, 'server_error');

      phase = 'Postgres is lost';
      const lostAtMs = Date.now();
      await losePostgres(rig);
      await untilPostgres(rig, 'away', LOST_MS_MAX);
      // There is an ad only if money is in hand.
      const meanwhile = [await takeAd(rig)].filter((ad) => ad !== null);
      expectError(await show(rig, down), 500, 'server_error');
      // A name may lead to the standby before it accepts writes.
      rig.links.leadTo('postgres', standby.port);
      await untilPostgres(rig, 'a standby', READY_MS_MAX);
      steps.push(`  every process reached the standby ${since(lostAtMs)} after the loss`);
      expectError(await show(rig, early), 500, 'server_error');
      const promotedAtMs = Date.now();
      await standby.promote();
      await untilTaken(rig, early, READY_MS_MAX);
      recoveredMs = Date.now() - promotedAtMs;
      await untilPostgres(rig, 'there', READY_MS_MAX);
      steps.push(
        `  events were taken ${since(promotedAtMs)} after the promotion, ${since(lostAtMs)} after the loss`,
      );

      for (const ad of [late, down, ...meanwhile, ...open]) expectAccepted(await show(rig, ad));
      for (const ad of shown) expectRejected(await show(rig, ad), 'duplicate');
      await expectCatalogMoves(rig);
      phase = 'the promoted one serves';
      pidsAfter = servicePids(rig.product.dataDir);
    };
    const factsAtEnd = async () => {
      const tables = openTables(standby.url);
      return readFactsAtEnd(rig, tables).finally(() => tables.end());
    };
    const result = await runBeside({ ...rig, factsAtEnd }, drill);
    const told = [...steps, ...countedLines(troubles), ...resultLines(result)].join('\n');
    process.stdout.write(`${told}\n`);
    expect(figuresOf(result.findings), told).to.satisfy(isGood);
    expect(pidsAfter, told).to.deep.equal(pids);
    expect(result.book.counted('impressions accepted'), told).to.be.above(100);
    const requests = result.book.counted('requests');
    expect(unexpectedLines(troubles, requests, isExpected), told).to.deep.equal([]);
    record(result, troubles.length, recoveredMs);
  }).timeout(RUN_MS_MAX);
});

function isExpected({ phase, what }: Trouble): boolean {
  return / is (?:away|cut off|lost)$/.test(phase) && RETRIED.test(what);
}

function record({ book, findings }: RunResult, failed: number, recoveredMs: number | null): void {
  recordFault({
    fault: 'the primary Postgres is lost and its synchronous standby is promoted',
    clientsSaw: `${failed} of ${book.counted('requests')} requests failed: events, which clients repeat`,
    recoveredMs,
    ...moneyOf(findings),
  });
}

/** Ads of this test's own phones. Sessions must start at once, ads must come within seconds. */
function takeAds(rig: Rig, count: number): Promise<Held[]> {
  return inTurns(count, 5, async () => {
    const taken: Held[] = [];
    await becomes(TAKEN_MS_MAX, async () => {
      const ad = await takeAd(rig);
      if (ad !== null) taken.push(ad);
      return ad !== null;
    });
    const [ad] = taken;
    if (ad === undefined) throw new Error(`no ad within ${TAKEN_MS_MAX} ms`);
    return ad;
  });
}

/** Requests an ad; null: there is none, since no money is in hand. */
async function takeAd({ url, market, book }: Rig): Promise<Held | null> {
  const app = market.apps[0]!;
  const phone = await Phone.open(url, app);
  const answer = await phone.request('banner');
  if (answer.body.status === 'no_fill') {
    expectNoFill(answer, 'no_eligible_campaign', 'partner');
    return null;
  }
  const fill = fillOf(answer);
  const { requestId, ad } = fill;
  book.addFill({ requestId, campaignId: ad.campaign_id, appId: app.id, filledAtMs: Date.now() });
  return { phone, fill };
}

/** Reports the impression once, and adds the answer to the book. */
async function show({ book }: Rig, { phone, fill }: Held): Promise<Answer> {
  const answer = await phone.impression(fill);
  const outcome = outcomeOf({ status: answer.status, body: answer.body, retryAfterMs: 0 });
  if (outcome !== null) book.addOutcome('impression', fill.requestId, outcome);
  return answer;
}

/** Sends the impression until it is accepted. A `duplicate` means that an earlier attempt was accepted. */
async function untilTaken(rig: Rig, ad: Held, withinMs: number): Promise<void> {
  let last: Answer | undefined;
  const isTaken = await becomes(withinMs, async () => {
    last = await show(rig, ad);
    return rig.book.verdict('impression', ad.fill.requestId) === 'accepted';
  });
  expect(isTaken, `an event is taken within ${withinMs} ms: ${last?.text ?? ''}`).to.equal(true);
}

/** Kills the server and its children at once, like the loss of its machine. Nothing restarts it. */
async function losePostgres({ product }: Rig): Promise<void> {
  const family = familyOf(product.pids['postgres']!);
  const killed = product.kill('postgres');
  signalAll(family, 'SIGKILL');
  await killed;
}

/** Waits until `/readyz` of each process with tables reports that Postgres is there, away, or accepts no writes. */
async function untilPostgres(
  { product }: Rig,
  is: 'there' | 'away' | 'a standby',
  withinMs: number,
): Promise<void> {
  const ports = await portsOf(product.dataDir);
  const said = new Map<string, string>();
  const says = async (name: string): Promise<boolean> => {
    const url = `http://127.0.0.1:${ports[`${name}.metrics`]!}`;
    const answer = await send(url, { method: 'GET', path: '/readyz' });
    said.set(name, answer.text);
    const { components } = JSON.parse(answer.text) as Readiness;
    const { ok, detail } = components.postgres;
    if (is === 'there') return ok && answer.status === 200;
    return !ok && (is === 'away' || detail?.includes('standby') === true);
  };
  const isSaid = await becomes(withinMs, async () => {
    const all = await Promise.all(WITH_TABLES.map(says));
    return !all.includes(false);
  });
  expect(isSaid, `Postgres is ${is} within ${withinMs} ms: ${JSON.stringify([...said])}`).to.equal(true);
}

interface Readiness {
  readonly components: { readonly postgres: { readonly ok: boolean; readonly detail?: string | null } };
}

/** Asserts that a change of the catalog reaches its readers: a session of a new app starts. */
async function expectCatalogMoves({ product, url }: Rig): Promise<void> {
  const app: AppEntry = {
    id: 'app_after',
    app_key: freshAppKey(),
    package_name: 'com.example.after',
    name: 'After',
    approved: true,
    placements: threePlacements(),
  };
  const file = path.join(product.dataDir, 'after.json');
  const publisher = { id: 'pub_after', name: 'After', approved: true, revenue_share: '0.7', apps: [app] };
  await writeFile(file, JSON.stringify({ publishers: [publisher] }));
  const { status, stderr } = await runPlacard(product.consoleAddress, ['catalog', 'apply', file]);
  expect(status, stderr).to.equal(0);
  const isKnown = (): Promise<boolean> =>
    Phone.open(url, app).then(
      () => true,
      () => false,
    );
  expect(await becomes(CATALOG_MS_MAX, isKnown), 'a new app is known').to.equal(true);
}
