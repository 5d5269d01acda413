import { toIso } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
import { actorText } from '../../access/domain/permission.js';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import { callbackIdOf, type CallbackRow } from '../domain/reward-callback.js';
import type { RewardLog } from '../usecase/reward-log.js';

/** Rows of an answer, when the request does not say. */
const ROWS_DEFAULT = 100;

/** Callbacks of rewards. Contract: docs/contract/operator-interface.md#reward. */
export function rewardsRoutes(log: RewardLog): RoutesOf<'listRewards' | 'replayReward'> {
  return {
    listRewards: async ({ query }) => {
      const { rows, next } = await log.list({
        publisherId: query.publisher ?? null,
        appId: query.app ?? null,
        placementId: query.placement ?? null,
        requestId: query.request_id ?? null,
        status: query.status ?? null,
        before: query.cursor ?? null,
        rowsMax: query.limit ?? ROWS_DEFAULT,
      });
      return { body: { rows: rows.map(toRow), next_cursor: next } };
    },
    replayReward: async ({ actor, path: { id } }) => ({
      body: toRow(await log.replay(id, actorText(actor))),
    }),
  };
}

function toRow(row: CallbackRow): Schemas['RewardCallback'] {
  return {
    request_id: row.requestId,
    id: callbackIdOf(row.requestId),
    publisher: row.publisherId,
    app: row.appId,
    placement: row.placement,
    item: row.item,
    amount: row.amount,
    test: row.isTest,
    rewarded_at: toIso(row.rewardedAtMs),
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: isoOrNull(row.attemptedAtMs),
    next_attempt_at: isoOrNull(row.nextAtMs),
    fault: row.fault,
    delivered_at: isoOrNull(row.deliveredAtMs),
  };
}
