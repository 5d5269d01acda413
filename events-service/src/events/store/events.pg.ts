import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { dayToIso, type RequestId } from '@placard/service-kit/pure';
import type { EventRow } from '../domain/event-row.js';
import { NO_HISTORY, type AdEventType, type History, type StoredVerdict } from '../domain/event.js';
import { toColumns, type ColumnValue } from '../../store/columns.js';
import { eventKey, type EventStore, type RequestKey } from './events.js';
import type { PartitionStore } from '../../store/partitions.js';
import { isMissingPartition, whileAvailable } from '../../store/postgres-errors.js';

const insertEvents = loadText(import.meta.url, './insert-events.sql');
const selectHistory = loadText(import.meta.url, './select-history.sql');

interface HistoryRow {
  readonly request_id: RequestId;
  readonly type: AdEventType;
  readonly verdict: StoredVerdict;
  readonly rule: string | null;
  readonly arrived_at: number;
}

/** In the order of the parameters of insert-events.sql. */
const INSERT_COLUMNS: readonly ((row: EventRow) => ColumnValue)[] = [
  (row) => dayToIso(row.day),
  (row) => row.requestId,
  (row) => row.type,
  (row) => row.verdict,
  (row) => row.rule,
  (row) => row.isTest,
  (row) => row.arrivedAtMs,
  (row) => row.fillMinute,
  (row) => row.sessionId,
  (row) => row.publisherId,
  (row) => row.appId,
  (row) => row.placement,
  (row) => row.format,
  (row) => row.country,
  (row) => row.advertiserId,
  (row) => row.campaignId,
  (row) => row.creativeId,
  (row) => row.costNanos,
  (row) => row.publisherNanos,
  (row) => row.completion,
  (row) => row.fallbackReason,
  (row) => row.leaseRun,
  (row) => row.traceparent,
];

/** Opens {@link EventStore} on Postgres. It makes a missing partition and stores the rows again. */
export function openEventStore(pool: Pool, partitions: PartitionStore): EventStore {
  const insert = async (rows: readonly EventRow[]): Promise<ReadonlySet<string>> => {
    const values = toColumns(rows, INSERT_COLUMNS);
    const { rows: stored } = await pool.query<{ request_id: RequestId; type: AdEventType }>({
      name: 'insert-events',
      text: insertEvents,
      values: [...values],
    });
    return new Set(stored.map((row) => eventKey({ requestId: row.request_id, type: row.type })));
  };
  return {
    history: (keys) => whileAvailable(() => readHistory(pool, keys)),
    insert: (rows) =>
      whileAvailable(async () => {
        try {
          return await insert(rows);
        } catch (error) {
          if (!isMissingPartition(error)) throw error;
          await partitions.ensure(rows.map((row) => row.day));
          return await insert(rows);
        }
      }),
  };
}

async function readHistory(pool: Pool, keys: readonly RequestKey[]): Promise<ReadonlyMap<string, History>> {
  const { rows } = await pool.query<HistoryRow>({
    name: 'select-history',
    text: selectHistory,
    values: [...toColumns(keys, [(key) => dayToIso(key.day), (key) => key.requestId])],
  });
  const histories = new Map<string, History>();
  for (const row of rows) {
    const known = histories.get(row.request_id) ?? NO_HISTORY;
    const judged = { verdict: row.verdict, rule: row.rule, arrivedAtMs: row.arrived_at };
    histories.set(row.request_id, { ...known, [row.type]: judged });
  }
  return histories;
}
