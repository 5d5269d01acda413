import { servingAll, type Tracing } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import type { RequestId } from '@placard/service-kit/pure';
import { whileAvailable } from '../../store/postgres-errors.js';
import type { SettledGroup, SettlementGroup, SettlementStore, WaitingKey } from './settlement.js';

const takeWaiting = loadText(import.meta.url, './take-waiting.sql');
const settleTaken = loadText(import.meta.url, './settle-taken.sql');
const markSettled = loadText(import.meta.url, './mark-settled.sql');
const selectNextWaiting = loadText(import.meta.url, './select-next-waiting.sql');
const selectOutbox = loadText(import.meta.url, './select-outbox.sql');

/** Most rows that are counted for the size of the outbox. A larger figure need not be exact. */
const OUTBOX_ROWS_MAX = 100_000;

interface TakenRow {
  readonly day: string;
  /** The ctid of the row in its partition. It does not change while this transaction holds the row. */
  readonly place: string;
  readonly arrived_at: number;
  readonly traceparent: string | null;
  /** Null: the request is not traced. */
  readonly traced_request_id: RequestId | null;
}

/**
 * Opens {@link SettlementStore} on Postgres. `now` gives the epoch ms against which the lag is measured. With `tracing` a
 * settlement continues the traces of the requests that reported its events.
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
      const { rows } = await pool.query<{ day: string; request_id: RequestId; type: string }>({
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
  const served = taken.map((row) => ({ traceparent: row.traceparent, adRequestId: row.traced_request_id }));
  const booked = await servingAll(means.tracing, served, 'settle events', async () => {
    const result = await book(client, taken);
    await mark(client, taken);
    return result;
  });
  const firstAtMs = taken.reduce((first, row) => Math.min(first, row.arrived_at), Infinity);
  return { ...booked, rows: taken.length, lagMs: Math.max(0, means.now() - firstAtMs) };
}

async function take(client: PoolClient, group: SettlementGroup): Promise<readonly TakenRow[]> {
  const { rows } = await client.query<TakenRow>({
    name: 'take-waiting',
    text: takeWaiting,
    values: [group.rowsMax, ...keyValues(group.after)],
  });
  return rows;
}

async function book(
  client: PoolClient,
  taken: readonly TakenRow[],
): Promise<Pick<SettledGroup, 'impressions' | 'bookedBefore'>> {
  const { rows } = await client.query<{ impressions: number; opened: number }>({
    name: 'settle-taken',
    text: settleTaken,
    values: [taken.map(({ day }) => day), taken.map(({ place }) => place)],
  });
  const { impressions, opened } = rows[0] ?? { impressions: 0, opened: 0 };
  return { impressions: opened, bookedBefore: impressions - opened };
}

async function mark(client: PoolClient, taken: readonly TakenRow[]): Promise<void> {
  for (const day of new Set(taken.map((row) => row.day))) {
    const places = taken.filter((row) => row.day === day).map((row) => row.place);
    await client.query({ name: 'mark-settled', text: markSettled, values: [day, places] });
  }
}

function keyValues(after: WaitingKey | null): (string | null)[] {
  return after === null ? [null, null, null] : [after.day, after.requestId, after.type];
}
