import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { CallbackRow } from '../domain/reward-callback.js';
import type { NamedKind, ObjectName, ReportObjects } from '../../reports/store/report-objects.js';
import { unknownIn } from '../../reports/usecase/unknown-objects.js';
import type { CallbackPage, CallbackStore, DueAttempt } from '../store/callbacks.js';

/** A page of the log. */
export interface CallbackRows {
  readonly rows: readonly CallbackRow[];
  /** For the next page; null: this is the last one. */
  readonly next: string | null;
}

/** What became of callbacks, and their replay. Every method may fail with `unavailable`. */
export interface RewardLog {
  /** Error `invalid_argument`: a filter names an object that the catalog never had. */
  list(page: CallbackPage): Promise<CallbackRows>;
  /**
   * Sends a callback again at once and for a day. `actor` goes to the audit. Errors: `not_found`; `failed_precondition` (the
   * placement has no callback address: nothing is changed).
   */
  replay(requestId: string, actor: string): Promise<CallbackRow>;
}

/** What {@link makeRewardLog} needs. */
export interface RewardLogDeps {
  readonly callbacks: Pick<CallbackStore, 'list' | 'replay'>;
  readonly objects: Pick<ReportObjects, 'namesOf'>;
  readonly clock: Clock;
  /** Receives the first attempt of a replay. */
  readonly onReplay: (attempt: DueAttempt) => void;
}

/** Makes {@link RewardLog}. */
export function makeRewardLog({ callbacks, objects, clock, onReplay }: RewardLogDeps): RewardLog {
  return {
    async list(page) {
      const unknown = await unknownIn(objects, namedIn(page));
      if (unknown !== null) throw appError('invalid_argument', `The list is refused: ${unknown}`);
      const rows = await callbacks.list({ ...page, rowsMax: page.rowsMax + 1 });
      const shown = rows.slice(0, page.rowsMax);
      return { rows: shown, next: rows.length > page.rowsMax ? (shown.at(-1)?.requestId ?? null) : null };
    },
    async replay(requestId, actor) {
      const replayed = await callbacks.replay(requestId, { atMs: clock.now(), actor });
      if (replayed === 'no_address') {
        throw appError(
          'failed_precondition',
          `The callback of ${requestId} is not sent again: its placement has no callback address now. Give the placement a reward in the catalog, then replay it.`,
        );
      }
      if (replayed === 'unknown') {
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

/** The objects that the filters of a page name. */
function namedIn({ publisherId, appId, placementId }: CallbackPage): readonly ObjectName[] {
  const ids = { publisher: publisherId, app: appId, placement: placementId } satisfies Partial<
    Record<NamedKind, string | null>
  >;
  return (['publisher', 'app', 'placement'] as const).flatMap((kind) => {
    const id = ids[kind];
    return id === null ? [] : [{ kind, id }];
  });
}
