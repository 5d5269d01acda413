import { DAY_MS, SECOND_MS } from '@placard/service-kit/pure';

/** How long an answer is kept for a repeated request. */
export const ANSWER_KEPT_MS = DAY_MS;

/**
 * How long an unanswered request holds its name without a renewal. Then its process has ended or could not store the answer, and
 * the same request may begin again. That is safe while it does run: a booking is made once for its reference, and a write of the
 * catalog is judged again. A key and a webhook are made twice.
 */
export const HOLD_MS = 15 * SECOND_MS;

/** How often the process in which a request runs renews its hold. */
export const RENEW_MS = 5 * SECOND_MS;

/** The answer to a request. */
export interface GivenAnswer {
  readonly status: number;
  /** Null: it has none. */
  readonly etag: string | null;
  /** Null: it has none, or it holds a secret and is not kept. */
  readonly body: unknown;
  /** Whether the body is left out because it holds a secret. */
  readonly isSecret: boolean;
}

/** What is stored of a request with an idempotency key. */
export interface KnownRequest {
  /** Of the method, the path, the query and the body. */
  readonly hash: string;
  /** Null: it still runs. */
  readonly answer: GivenAnswer | null;
}

/** What to do with a request whose key is known. */
export type Repetition =
  | { readonly kind: 'answer'; readonly answer: GivenAnswer }
  | { readonly kind: 'other_request' | 'running' | 'secret' };

/** Decides what a request with a known key gets. */
export function judgeRepetition(known: KnownRequest, hash: string): Repetition {
  if (known.hash !== hash) return { kind: 'other_request' };
  if (known.answer === null) return { kind: 'running' };
  return known.answer.isSecret ? { kind: 'secret' } : { kind: 'answer', answer: known.answer };
}
