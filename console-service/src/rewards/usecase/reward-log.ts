import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { CallbackRow } from '../domain/reward-callback.js';
import type { CallbackPage, CallbackStore, DueAttempt } from '../store/callbacks.js';

/** A page of the log. */
export interface CallbackRows {
  readonly rows: readonly CallbackRow[];
  /** For the next page; null: this is the last one. */
  readonly next: string | null;
}

/** What became of callbacks, and their replay. Every method may fail with `unavailable`. */
export interface RewardLog {
  list(page: CallbackPage): Promise<CallbackRows>;
  /** Sends a callback again at once and for a day. `actor` goes to the audit. Error `not_found`. */
  replay(requestId: string, actor: string): Promise<CallbackRow>;
}

/** What {@link makeRewardLog} needs. */
export interface RewardLogDeps {
  readonly callbacks: Pick<CallbackStore, 'list' | 'replay'>;
  readonly clock: Clock;
  /** Receives the first attempt of a replay. */
  readonly onReplay: (attempt: DueAttempt) => void;
}

/** Makes {@link RewardLog}. */
export function makeRewardLog({ callbacks, clock, onReplay }: RewardLogDeps): RewardLog {
  return {
    async list(page) {
      const rows = await callbacks.list({ ...page, rowsMax: page.rowsMax + 1 });
      const shown = rows.slice(0, page.rowsMax);
      return { rows: shown, next: rows.length > page.rowsMax ? (shown.at(-1)?.requestId ?? null) : null };
    },
    async replay(requestId, actor) {
      const replayed = await callbacks.replay(requestId, { atMs: clock.now(), actor });
      if (replayed === null) {
        throw appError(
          'not_found',
          `There is no reward callback of ${requestId}. Only rewards of the last 30 days whose placement had a callback have one.`,
        );
      }
      onReplay(replayed.attempt);
      return replayed.row;
    },
  };
}
