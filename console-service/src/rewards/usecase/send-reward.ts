import type { PostSigned } from '@placard/service-kit/callbacks';
import type { Clock } from '@placard/service-kit/pure';
import {
  bodyOf,
  callbackIdOf,
  nextAttemptAt,
  type Attempt,
  type DueCallback,
} from '../domain/reward-callback.js';
import type { CallbackStore, DueAttempt } from '../store/callbacks.js';

/** How an attempt ended. `over`: there was nothing to send. `failed`: `next` is to be made. */
export type AttemptEnd =
  | { readonly result: 'delivered' | 'given_up' | 'over' }
  | { readonly result: 'failed'; readonly next: DueAttempt };

/** Makes one attempt to send a callback, and stores its result. Error `unavailable`: nothing is known of it. */
export type SendReward = (attempt: Attempt) => Promise<AttemptEnd>;

/** What {@link makeSendReward} needs. */
export interface SendRewardDeps {
  readonly callbacks: Pick<CallbackStore, 'readDue' | 'mark'>;
  readonly postSigned: PostSigned;
  readonly clock: Clock;
}

/** Makes {@link SendReward}. */
export function makeSendReward(deps: SendRewardDeps): SendReward {
  const { callbacks, postSigned, clock } = deps;
  return async (attempt) => {
    const callback = await callbacks.readDue(attempt);
    if (callback === null) return { result: 'over' };
    const fault = await send(postSigned, callback);
    const nowMs = clock.now();
    const attempts = attempt.attempts + 1;
    const nextAtMs =
      fault === null ? null : nextAttemptAt(attempts, { roundAtMs: callback.roundAtMs, nowMs });
    await callbacks.mark(attempt, { atMs: nowMs, fault, nextAtMs });
    if (nextAtMs !== null) return { result: 'failed', next: { ...attempt, attempts, nextAtMs } };
    return { result: fault === null ? 'delivered' : 'given_up' };
  };
}

/** Why the receiver did not accept it; null: it did. */
async function send(postSigned: PostSigned, callback: DueCallback): Promise<string | null> {
  const { requestId, url } = callback;
  if (url === null) return 'The placement has no callback address.';
  const result = await postSigned({ id: callbackIdOf(requestId), url, body: bodyOf(callback) });
  return result.isDelivered ? null : result.reason;
}
