import {
  inTransaction,
  loadText,
  servingAll,
  type Pool,
  type PoolClient,
  type Tracing,
} from '@placard/service-kit';
import { DAY_MS, dayOf, type AdFormat } from '@placard/service-kit/pure';
import type { EventRow } from '../domain/event-row.js';
import type { EventType, StoredVerdict } from '../domain/event.js';
import { addToAccounts, openBookings, writeEntries } from './bookings.pg.js';
import { addCampaignDays, addEventHours, addFallbackHours } from './event-stats.pg.js';
import { whileAvailable } from './postgres-errors.js';
import type { SettledGroup, SettlementGroup, SettlementStore, WaitingKey } from './settlement.js';

const takeWaiting = loadText(import.meta.url, './take-waiting.sql');
const markSettled = loadText(import.meta.url, './mark-settled.sql');
const selectNextWaiting = loadText(import.meta.url, './select-next-waiting.sql');
const selectOutbox = loadText(import.meta.url, './select-outbox.sql');

/** Rows counted for the size of the outbox: more need no exact figure. */
const OUTBOX_ROWS_MAX = 100_000;

interface WaitingRow {
  /** Where the row lies in its partition; it stays there while this transaction holds the row. */
  readonly ctid: string;
  readonly day: string;
  readonly request_id: string;
  readonly type: EventType;
  readonly verdict: StoredVerdict;
  readonly rule: string | null;
  readonly is_test: boolean;
  readonly arrived_at: number;
  readonly fill_minute: bigint | null;
  readonly session_id: string;
  readonly publisher_id: string;
  readonly app_id: string;
  readonly placement: string;
  readonly format: AdFormat;
  readonly country: string | null;
  readonly advertiser_id: string | null;
  readonly campaign_id: string | null;
  readonly creative_id: string | null;
  readonly cost_nanos: bigint;
  readonly publisher_nanos: bigint;
  readonly completion: boolean | null;
  readonly fallback_reason: string | null;
  readonly lease_run: string;
  readonly traceparent: string | null;
}

/**
 * Opens {@link SettlementStore} on Postgres. `now` gives the epoch ms against which the lag is measured; with `tracing` a
 * settlement goes on with the traces of the requests that reported its events.
 */
export function openSettlementStore(
  pool: Pool,
  now: () => number,
  tracing: Tracing | null = null,
): SettlementStore {
  return {
    settle: (group) =>
      whileAvailable(() => inTransaction(pool, (client) => settle(client, group, { now, tracing }))),
    async nextWaiting(after) {
      const { rows } = await pool.query<{ day: string; request_id: string; type: string }>({
        name: 'select-next-waiting',
        text: selectNextWaiting,
        values: keyValues(after),
      });
      const [next] = rows;
      return next === undefined ? null : { day: next.day, requestId: next.request_id, type: next.type };
    },
    async outbox() {
      const { rows } = await pool.query<{ waiting: bigint; oldest_at: number | null }>(selectOutbox, [
        OUTBOX_ROWS_MAX,
      ]);
      return { waiting: Number(rows[0]?.waiting ?? 0n), oldestAtMs: rows[0]?.oldest_at ?? null };
    },
  };
}

interface Means {
  readonly now: () => number;
  readonly tracing: Tracing | null;
}

async function settle(client: PoolClient, group: SettlementGroup, means: Means): Promise<SettledGroup> {
  const taken = await take(client, group);
  if (taken.length === 0) return { rows: 0, impressions: 0, bookedBefore: 0, lagMs: 0 };
  const traceparents = taken.map(({ traceparent }) => traceparent);
  const booked = await servingAll(means.tracing, traceparents, 'settle events', () =>
    book(client, taken, group.plan),
  );
  return {
    ...booked,
    rows: taken.length,
    lagMs: Math.max(0, ...taken.map((row) => means.now() - row.arrived_at)),
  };
}

/**
 * The statements of one settlement. Each table is written in one fixed order, and all workers go through the tables in
 * the same order, so that none waits for another in a circle.
 */
async function book(
  client: PoolClient,
  taken: readonly WaitingRow[],
  plan: SettlementGroup['plan'],
): Promise<Pick<SettledGroup, 'impressions' | 'bookedBefore'>> {
  const rows = taken.map(toEventRow);
  const impressions = rows.filter((row) => row.type === 'impression');
  const opened = await openBookings(client, 'impression', impressions.map(toBooking));
  const fresh = rows.filter((row) => row.type !== 'impression' || opened.has(row.requestId));
  const settlement = plan(fresh);
  await writeEntries(client, 'impression', settlement.entries);
  await addEventHours(client, settlement.eventHours);
  await addFallbackHours(client, settlement.fallbackHours);
  await addCampaignDays(client, settlement.campaignDays);
  await mark(client, taken);
  await addToAccounts(client, 'impression', settlement.accountDays);
  return { impressions: opened.size, bookedBefore: impressions.length - opened.size };
}

async function take(client: PoolClient, group: SettlementGroup): Promise<readonly WaitingRow[]> {
  const { rows } = await client.query<WaitingRow>({
    name: 'take-waiting',
    text: takeWaiting,
    values: [group.rowsMax, ...keyValues(group.after)],
  });
  return rows;
}

async function mark(client: PoolClient, rows: readonly WaitingRow[]): Promise<void> {
  for (const day of new Set(rows.map((row) => row.day))) {
    const places = rows.filter((row) => row.day === day).map((row) => row.ctid);
    await client.query({ name: 'mark-settled', text: markSettled, values: [day, places] });
  }
}

function keyValues(after: WaitingKey | null): (string | null)[] {
  return after === null ? [null, null, null] : [after.day, after.requestId, after.type];
}

function toBooking(row: EventRow) {
  return {
    id: row.requestId,
    day: dayOf(row.arrivedAtMs),
    eventDay: row.day,
    occurredAtMs: row.arrivedAtMs,
    reason: null,
  };
}

function toEventRow(row: WaitingRow): EventRow {
  return {
    day: Date.parse(`${row.day}T00:00:00Z`) / DAY_MS,
    requestId: row.request_id,
    type: row.type,
    verdict: row.verdict,
    rule: row.rule,
    isTest: row.is_test,
    arrivedAtMs: row.arrived_at,
    fillMinute: row.fill_minute === null ? null : Number(row.fill_minute),
    sessionId: row.session_id,
    publisherId: row.publisher_id,
    appId: row.app_id,
    placement: row.placement,
    format: row.format,
    country: row.country,
    advertiserId: row.advertiser_id,
    campaignId: row.campaign_id,
    creativeId: row.creative_id,
    costNanos: row.cost_nanos,
    publisherNanos: row.publisher_nanos,
    completion: row.completion,
    fallbackReason: row.fallback_reason,
    leaseRun: row.lease_run,
    traceparent: row.traceparent,
  };
}
