import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import type { AppId, PlacementCode, PublisherId, RequestId } from '@placard/service-kit/pure';
import { runSql } from '../../store/run-sql.js';
import type {
  Attempt,
  CallbackRow,
  CallbackStatus,
  DueCallback,
  RewardFacts,
} from '../domain/reward-callback.js';
import type { CallbackStore, DueAttempt } from './callbacks.js';

const addSql = loadText(import.meta.url, './add-callbacks.sql');
const readDueSql = loadText(import.meta.url, './read-due-callback.sql');
const listDueSql = loadText(import.meta.url, './list-due-callbacks.sql');
const markSql = loadText(import.meta.url, './mark-attempt.sql');
const listSql = loadText(import.meta.url, './list-callbacks.sql');
const replaySql = loadText(import.meta.url, './replay-callback.sql');
const readWaitingSql = loadText(import.meta.url, './read-waiting-callbacks.sql');
const pruneSql = loadText(import.meta.url, './prune-callbacks.sql');

interface FactsRow {
  readonly request_id: RequestId;
  readonly publisher_id: PublisherId;
  readonly app_id: AppId;
  readonly placement: PlacementCode;
  readonly item: string;
  readonly amount: number;
  readonly is_test: boolean;
  readonly rewarded_at: number;
}

interface LogRow extends FactsRow {
  readonly attempts: number;
  readonly attempted_at: number | null;
  readonly next_at: number | null;
  readonly fault: string | null;
  readonly delivered_at: number | null;
}

interface AttemptRow {
  readonly request_id: RequestId;
  readonly round: number;
  readonly round_attempts: number;
}

interface DueRow extends AttemptRow {
  readonly next_at: number;
}

/** The callbacks in Postgres, `rewards.callback`. */
export function makePgCallbackStore(pool: Pool): CallbackStore {
  return {
    async add(rewards, nowMs) {
      const columns = [
        rewards.map(({ requestId }) => requestId),
        rewards.map(({ publisherId }) => publisherId),
        rewards.map(({ appId }) => appId),
        rewards.map(({ placement }) => placement),
        rewards.map(({ isTest }) => isTest),
        rewards.map(({ rewardedAtMs }) => rewardedAtMs),
      ];
      return (await runSql<DueRow>(pool, addSql, [...columns, nowMs])).map(toDueAttempt);
    },
    async readDue(attempt) {
      const [row] = await runSql<FactsRow & { readonly round_at: number; readonly url: string | null }>(
        pool,
        readDueSql,
        keyOf(attempt),
      );
      return row === undefined ? null : toDueCallback(row);
    },
    async listDue(untilMs, after, countMax) {
      const place = [after?.nextAtMs ?? null, after?.requestId ?? null];
      return (await runSql<DueRow>(pool, listDueSql, [untilMs, ...place, countMax])).map(toDueAttempt);
    },
    async mark(attempt, { atMs, fault, nextAtMs }) {
      await runSql(pool, markSql, [...keyOf(attempt), atMs, fault, nextAtMs]);
    },
    async list({ publisherId, appId, placementId, requestId, status, before, rowsMax }) {
      const filters = [publisherId, appId, placementId, requestId, status, before];
      return (await runSql<LogRow>(pool, listSql, [...filters, rowsMax])).map(toCallbackRow);
    },
    async replay(requestId, { atMs, actor }) {
      const [row] = await runSql<(LogRow & DueRow) | { readonly round: null }>(pool, replaySql, [
        ...[requestId, atMs, actor],
      ]);
      if (row === undefined) return 'unknown';
      return row.round === null ? 'no_address' : { row: toCallbackRow(row), attempt: toDueAttempt(row) };
    },
    async waiting() {
      const [row] = await runSql<{ readonly waiting: number; readonly oldest_at: number | null }>(
        pool,
        readWaitingSql,
      );
      if (row === undefined) throw new Error('the waiting callbacks were not counted');
      return { count: row.waiting, oldestAtMs: row.oldest_at };
    },
    async prune(beforeMs) {
      await runSql(pool, pruneSql, [beforeMs]);
    },
  };
}

function keyOf({ requestId, round, attempts }: Attempt): readonly [string, number, number] {
  return [requestId, round, attempts];
}

function toDueAttempt(row: DueRow): DueAttempt {
  return {
    requestId: row.request_id,
    round: row.round,
    attempts: row.round_attempts,
    nextAtMs: row.next_at,
  };
}

function toFacts(row: FactsRow): RewardFacts {
  return {
    requestId: row.request_id,
    publisherId: row.publisher_id,
    appId: row.app_id,
    placement: row.placement,
    item: row.item,
    amount: row.amount,
    isTest: row.is_test,
    rewardedAtMs: row.rewarded_at,
  };
}

function toDueCallback(
  row: FactsRow & { readonly round_at: number; readonly url: string | null },
): DueCallback {
  return { ...toFacts(row), roundAtMs: row.round_at, url: row.url };
}

function toCallbackRow(row: LogRow): CallbackRow {
  return {
    ...toFacts(row),
    status: statusOf(row),
    attempts: row.attempts,
    attemptedAtMs: row.attempted_at,
    nextAtMs: row.next_at,
    fault: row.fault,
    deliveredAtMs: row.delivered_at,
  };
}

function statusOf({ next_at: nextAtMs, fault }: LogRow): CallbackStatus {
  if (nextAtMs !== null) return 'waiting';
  return fault === null ? 'delivered' : 'given_up';
}
