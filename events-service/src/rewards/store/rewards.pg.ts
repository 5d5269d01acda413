import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import type { AppId, PlacementCode, PublisherId, RequestId } from '@placard/service-kit/pure';
import { whileAvailable } from '../../store/postgres-errors.js';
import type { RewardStore } from './rewards.js';

const selectRewards = loadText(import.meta.url, './select-rewards.sql');
const deleteRewards = loadText(import.meta.url, './delete-rewards.sql');
const selectWaiting = loadText(import.meta.url, './select-waiting-rewards.sql');
const pruneRewards = loadText(import.meta.url, './prune-rewards.sql');

interface RewardRow {
  readonly request_id: RequestId;
  readonly publisher_id: PublisherId;
  readonly app_id: AppId;
  readonly placement: PlacementCode;
  readonly is_test: boolean;
  readonly accepted_at: number;
}

/** Opens {@link RewardStore} on Postgres, table `events.accepted_reward`. A trigger fills it. */
export function openRewardStore(pool: Pool): RewardStore {
  return {
    take: (countMax) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<RewardRow>(selectRewards, [countMax]);
        return rows.map((row) => ({
          requestId: row.request_id,
          publisherId: row.publisher_id,
          appId: row.app_id,
          placement: row.placement,
          isTest: row.is_test,
          acceptedAtMs: row.accepted_at,
        }));
      }),
    confirm: (requestIds) =>
      whileAvailable(async () => {
        await pool.query(deleteRewards, [requestIds]);
      }),
    waiting: () =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{ readonly waiting: number; readonly oldest_at: number | null }>(
          selectWaiting,
        );
        const [row] = rows;
        if (row === undefined) throw new Error('the waiting rewards were not counted');
        return { count: row.waiting, oldestAtMs: row.oldest_at };
      }),
    prune: (keptSeconds) =>
      whileAvailable(async () => {
        await pool.query(pruneRewards, [keptSeconds]);
      }),
  };
}
