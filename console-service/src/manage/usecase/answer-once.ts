import { appError, messageOf, type Scope } from '@placard/service-kit';
import { SECOND_MS } from '@placard/service-kit/pure';
import {
  HOLD_MS,
  judgeRepetition,
  RENEW_MS,
  type GivenAnswer,
  type KnownRequest,
} from '../domain/repetition.js';
import type { AnswerStore, Hold, RequestName } from '../store/answer-store.js';

/** A request with an idempotency key. */
export interface OnceRequest {
  readonly name: RequestName;
  /** Of the method, the path, the query and the body. */
  readonly hash: string;
  /** Whether the answer holds a secret, which is not stored. */
  readonly hasSecretAnswer: boolean;
}

/**
 * Does the work of a request once, and gives a repeated request the stored answer. A request that fails frees its name. An answer
 * that cannot be stored is given all the same. A repetition is done again when no answer is stored and the hold has ended: the
 * process has ended, or could not store the answer. Errors: `invalid_argument` (the key belongs to another request), `conflict` (the first
 * request still runs, or its answer was a secret), `unavailable`, and those of the work.
 */
export type AnswerOnce = (request: OnceRequest, work: () => Promise<GivenAnswer>) => Promise<GivenAnswer>;

/** What {@link AnswerOnce} needs. */
export interface AnswerOnceDeps {
  readonly store: Pick<AnswerStore, 'begin' | 'renew' | 'finish' | 'forget'>;
  readonly clock: Scope['clock'];
  readonly timers: Scope['timers'];
  readonly log: Pick<Scope['log'], 'warn'>;
}

/** Makes {@link AnswerOnce}. */
export function makeAnswerOnce(deps: AnswerOnceDeps): AnswerOnce {
  const { store, clock, log } = deps;
  return async ({ name, hash, hasSecretAnswer }, work) => {
    const begun = await store.begin({ name, hash, atMs: clock.now() });
    if ('known' in begun) return repeated(begun.known, hash);
    const endRenewing = keepRenewing(deps, begun);
    try {
      const answer = await workOrForget(store, begun, work);
      await store.finish(begun, hasSecretAnswer ? withoutBody(answer) : answer).catch((error: unknown) => {
        // The work is done, so its caller must learn the answer.
        log.warn({ reason: messageOf(error) }, 'the answer to a request could not be stored');
      });
      return answer;
    } finally {
      endRenewing();
    }
  };
}

/** Does the work. When it fails, the name of its request is free. */
async function workOrForget(
  store: AnswerOnceDeps['store'],
  hold: Hold,
  work: () => Promise<GivenAnswer>,
): Promise<GivenAnswer> {
  try {
    return await work();
  } catch (error) {
    // What cannot be freed now is free when its hold ends.
    await store.forget(hold).catch(() => undefined);
    throw error;
  }
}

/** Renews a hold until the returned function is called. After a failure the next renewal follows as usual. */
function keepRenewing({ store, timers }: AnswerOnceDeps, hold: Hold): () => void {
  let cancel = (): void => undefined;
  const schedule = (): void => {
    cancel = timers.after(RENEW_MS, () => {
      schedule();
      store.renew(hold).catch(() => undefined);
    });
  };
  schedule();
  return () => cancel();
}

function withoutBody({ status, etag }: GivenAnswer): GivenAnswer {
  return { status, etag, body: null, isSecret: true };
}

function repeated(known: KnownRequest, hash: string): GivenAnswer {
  const repetition = judgeRepetition(known, hash);
  switch (repetition.kind) {
    case 'answer':
      return repetition.answer;
    case 'other_request':
      throw appError(
        'invalid_argument',
        'The Idempotency-Key belongs to another request. Choose a new key for each request.',
      );
    case 'running':
      throw appError(
        'conflict',
        `A request with this Idempotency-Key still runs, or its process ended less than ${HOLD_MS / SECOND_MS} seconds ago. Repeat it every few seconds until it has an answer.`,
      );
    case 'secret':
      throw appError(
        'conflict',
        'This request was done before. Its answer holds a secret, which is not stored. Remove what it made, and repeat it with a new Idempotency-Key.',
      );
  }
}
