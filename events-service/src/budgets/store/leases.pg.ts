import { makeBoundedMap, type BoundedMap } from '@placard/service-kit/background';
import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool } from '@placard/service-kit/postgres';
import type { AdvertiserId, CampaignId } from '@placard/service-kit/pure';
import { judgeWant, type LeaseKey, type LeaseWant, type PaceFigures } from '../domain/lease.js';
import {
  campaignKey,
  dayColumns,
  dayKey,
  distinctDays,
  findAndLockLeases,
  leaseKey,
  lockSums,
  readOwners,
  readSums,
  type BudgetDay,
  type BudgetSums,
  type Querying,
} from './budget-books.pg.js';
import { dayOfWant, ExchangeBook, figuresKey, stateOf, toAnswer, type Exchange } from './exchange-book.pg.js';
import { closeDue, releaseSuspicious } from './lease-ends.pg.js';
import type { HeldMoney, LeaseAnswer, LeaseAnswers, LeaseStore } from './leases.js';
import { whileAvailable } from '../../store/postgres-errors.js';

const ensureSums = loadText(import.meta.url, './ensure-budget-sums.sql');
const selectPaceFigures = loadText(import.meta.url, './select-pace-figures.sql');
const touchReplica = loadText(import.meta.url, './touch-replica.sql');
const selectHeldMoney = loadText(import.meta.url, './select-held-money.sql');
const pruneLeases = loadText(import.meta.url, './prune-leases.sql');
const pruneReplicas = loadText(import.meta.url, './prune-replicas.sql');

/** A replica that was not seen for this long does not count for fair shares. */
const REPLICA_ALIVE_MS = 5_000;
/** Interval at which a replica is recorded and the others are counted. A new replica gets its fair share this much later. */
const TOUCH_MS = 1_000;
/** Most replicas in the cache of this process. */
const SEEN_MAX = 1_000;
/** Leases that one statement deletes, so that a worker that was down for days does not hold locks for long. */
const PRUNED_MAX = 5_000;
/** Most days in the cache of existing rows. No release deletes such rows. */
const KNOWN_DAYS_MAX = 200_000;

/** Opens {@link LeaseStore} on Postgres. */
export function openLeaseStore(pool: Pool): LeaseStore {
  let memory: Memory | null = null;
  return {
    async exchange(exchange, nowMs) {
      // Some megabytes, which most of those who open the store do not need.
      const known = (memory ??= { days: makeBoundedMap(KNOWN_DAYS_MAX), seen: makeBoundedMap(SEEN_MAX) });
      try {
        return await whileAvailable(() => runExchange(pool, known, { ...exchange, nowMs }));
      } catch (error) {
        // A primary may have been lost with its last commits: rows that existed may be gone.
        known.days.clear();
        throw error;
      }
    },
    releaseSuspicious: (keys) => whileAvailable(() => releaseSuspicious(pool, keys)),
    closeDue: (due) => whileAvailable(() => closeDue(pool, due)),
    held: (at) => whileAvailable(() => readHeld(pool, at)),
    async prune(keptSeconds) {
      let pruned: number | null;
      do ({ rowCount: pruned } = await pool.query(pruneLeases, [keptSeconds, PRUNED_MAX]));
      while (pruned === PRUNED_MAX);
      await pool.query(pruneReplicas, [keptSeconds]);
    },
  };
}

/** A cache that saves statements. It may be cleared at any time. */
interface Memory {
  /** Days whose rows exist. */
  readonly days: BoundedMap<string, true>;
  /** By run: when the replica was last recorded, epoch ms, and how many replicas were alive then. */
  readonly seen: BoundedMap<string, { readonly atMs: number; readonly replicas: number }>;
}

async function runExchange(pool: Pool, memory: Memory, exchange: Exchange): Promise<LeaseAnswers> {
  const replicas = await countReplicas(pool, memory, exchange);
  const wants = await takeReportsAndGrant(pool, memory, { exchange, replicas });
  return { wants, peeks: await peek(pool, exchange, replicas) };
}

async function takeReportsAndGrant(
  pool: Pool,
  memory: Memory,
  { exchange, replicas }: { readonly exchange: Exchange; readonly replicas: number },
): Promise<readonly LeaseAnswer[]> {
  if (exchange.reports.length === 0 && exchange.wants.length === 0) return [];
  const reported = await findReturning(pool, exchange);
  const wanted = exchange.wants.map(dayOfWant);
  await makeMissing(pool, memory.days, wanted);
  return inTransaction(pool, async (client) => {
    const sums = await lockSums(client, distinctDays([...reported, ...wanted]));
    const keys = [...exchange.reports, ...exchange.wants].map(({ campaignId, minute }) => ({
      campaignId,
      minute,
      run: exchange.run,
    }));
    // The locked sums already keep what is open as it is. Impressions wait for locked leases, so these are locked last.
    const figures = await readFigures(client, exchange.wants);
    const leases = new Map((await findAndLockLeases(client, keys)).map((lease) => [leaseKey(lease), lease]));
    const book = new ExchangeBook(exchange, { sums, leases, figures });
    book.takeReports();
    const answers = book.judge(replicas);
    await book.write(client);
    return answers;
  });
}

async function countReplicas(pool: Pool, { seen }: Memory, { run, nowMs }: Exchange): Promise<number> {
  const last = seen.get(run);
  if (last !== undefined && Math.abs(nowMs - last.atMs) < TOUCH_MS) return last.replicas;
  const { rows } = await pool.query<{ replicas: number }>({
    name: 'touch-replica',
    text: touchReplica,
    values: [run, nowMs, REPLICA_ALIVE_MS],
  });
  const replicas = rows[0]?.replicas ?? 1;
  seen.set(run, { atMs: nowMs, replicas });
  return replicas;
}

/** The days of leases whose returned money grew. Fills alone change no sum, so they need no lock on sums. */
async function findReturning(pool: Pool, { run, reports }: Exchange): Promise<readonly BudgetDay[]> {
  const leaseOf = ({ campaignId, minute }: Omit<LeaseKey, 'run'>): string => `${campaignId}/${minute}`;
  const returned = new Map(reports.map((report) => [leaseOf(report), report.returnedNanos]));
  const owned = await readOwners(
    pool,
    reports.map(({ campaignId, minute }) => ({ campaignId, minute, run })),
  );
  return owned.filter((lease) => (returned.get(leaseOf(lease)) ?? 0n) > lease.returnedNanos);
}

async function makeMissing(pool: Pool, known: Memory['days'], days: readonly BudgetDay[]): Promise<void> {
  const missing = distinctDays(days).filter((day) => known.get(dayKey(day)) === undefined);
  if (missing.length === 0) return;
  await pool.query({ name: 'ensure-budget-sums', text: ensureSums, values: [...dayColumns(missing)] });
  for (const day of missing) known.set(dayKey(day), true);
}

async function readFigures(
  client: Querying,
  wants: readonly LeaseWant[],
): Promise<ReadonlyMap<string, PaceFigures>> {
  const paced = wants.filter((want) => want.pace !== null);
  if (paced.length === 0) return new Map();
  const { rows } = await client.query<{
    advertiser_id: AdvertiserId;
    campaign_id: CampaignId;
    minute: bigint;
    accepted_nanos: bigint;
    fresh_nanos: bigint;
    minute_nanos: bigint;
  }>({
    name: 'select-pace-figures',
    text: selectPaceFigures,
    values: [
      paced.map((want) => want.advertiserId),
      paced.map((want) => want.campaignId),
      paced.map((want) => want.minute),
    ],
  });
  return new Map(
    rows.map((row) => [
      figuresKey({
        advertiserId: row.advertiser_id,
        campaignId: row.campaign_id,
        minute: Number(row.minute),
      }),
      { acceptedNanos: row.accepted_nanos, freshNanos: row.fresh_nanos, minuteNanos: row.minute_nanos },
    ]),
  );
}

/** Judges without locks and without writes. A campaign without sums has spent nothing. */
async function peek(pool: Pool, exchange: Exchange, replicas: number): Promise<readonly LeaseAnswer[]> {
  const { peeks } = exchange;
  if (peeks.length === 0) return [];
  const sums = await readSums(pool, distinctDays(peeks.map(dayOfWant)));
  const figures = await readFigures(pool, peeks);
  return peeks.map((want) => {
    const known = withEmptySums(want, sums);
    const state = stateOf(want, known, { figures, replicas, exchange, lease: null });
    if (state === null) throw new Error('the sums of a peek are missing');
    return toAnswer(want, judgeWant(want, state), { granted: 0n, sums: known });
  });
}

function withEmptySums(want: LeaseWant, sums: BudgetSums): BudgetSums {
  const day = dayOfWant(want);
  const empty = { openNanos: 0n, closedNanos: 0n };
  const closedFills = { shownNanos: 0, unshownNanos: 0, lateNanos: 0 };
  return {
    advertisers: new Map([[day.advertiserId, sums.advertisers.get(day.advertiserId) ?? empty]]),
    campaigns: new Map([
      [campaignKey(day), sums.campaigns.get(campaignKey(day)) ?? { ...empty, closedFills }],
    ]),
    days: new Map([[dayKey(day), sums.days.get(dayKey(day)) ?? { ...empty, anchor: null }]]),
  };
}

async function readHeld(
  pool: Pool,
  { goneBeforeMs, overdueBeforeMs }: { readonly goneBeforeMs: number; readonly overdueBeforeMs: number },
): Promise<readonly HeldMoney[]> {
  const { rows } = await pool.query<{
    campaign_id: CampaignId;
    held_nanos: bigint;
    stranded_nanos: bigint;
    open_leases: number;
    overdue_leases: number;
  }>(selectHeldMoney, [goneBeforeMs, overdueBeforeMs]);
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    heldNanos: row.held_nanos,
    strandedNanos: row.stranded_nanos,
    openLeases: row.open_leases,
    overdueLeases: row.overdue_leases,
  }));
}
