import type { Operation } from '../operations.js';
import type { PlacementEntry } from '../market/market.js';
import type { Fill, Phone } from './phone.js';

/**
 * The result of a call in a few words: `started`, `fill`, `no_fill <reason>`, `accepted`, a rejection reason, or an error such
 * as `429 rate_limited`, `UNAVAILABLE`, `timeout`.
 */
export type Code = string;

/** Called when a request has left the client. Later waits are not caused by the client. */
export type Written = () => void;

/** The calls of a target, over any protocol. No function rejects: every failure is a code. */
export interface Api {
  initialize(phone: Phone, written?: Written): Promise<{ readonly code: Code; readonly token: string }>;
  request(
    phone: Phone,
    placement: PlacementEntry,
    written?: Written,
  ): Promise<{
    readonly code: Code;
    readonly fill: { readonly requestId: string; readonly token: string } | null;
  }>;
  event(kind: 'impression' | 'click' | 'reward', fill: Fill, written?: Written): Promise<Code>;
  fallback(phone: Phone, placement: PlacementEntry, written?: Written): Promise<Code>;
  close(): void;
}

/** Longest wait for an answer over gRPC, in milliseconds. */
export const ANSWER_MS_MAX = 10_000;

/** The code of a request that an overloaded target refused at once: 500 with `Retry-After`. */
export const REFUSED: Code = 'refused';
/** The code of a request whose client left before an answer came. */
export const LEFT: Code = 'timeout';

/** Expected no-fills: no campaign matches the phone, or a cap is reached. */
const NO_FILLS: ReadonlySet<Code> = new Set(['no_fill no_eligible_campaign', 'no_fill frequency_capped']);

/** Whether the contract allows the answer for well-behaved traffic. */
export function isExpected(operation: Operation, code: Code): boolean {
  switch (operation) {
    case 'initialize':
      return code === 'started';
    case 'request':
      return code === 'fill' || code === 'passes' || NO_FILLS.has(code);
    case 'duplicate':
      return code === 'duplicate';
    case 'impression':
    case 'click':
      return code === 'accepted' || code === 'passes';
    default:
      return code === 'accepted';
  }
}

/** What became of a call for its client. */
export const OUTCOMES = ['accepted', 'refused', 'left', 'failed'] as const;
/** One of them: `accepted` is an answer as promised, `refused` an orderly refusal, `left` a client that waited in vain. */
export type Outcome = (typeof OUTCOMES)[number];

/** The outcome of a call of well-behaved traffic. */
export function outcomeOf(operation: Operation, code: Code): Outcome {
  if (isExpected(operation, code)) return 'accepted';
  if (code === REFUSED) return 'refused';
  return code === LEFT ? 'left' : 'failed';
}

/** An API with only some calls. Any other call is a mistake of the caller. */
export function partialApi(part: Partial<Api> & Pick<Api, 'close'>): Api {
  const missing = (): Promise<never> => Promise.reject(new Error('the target does not have this call'));
  return { initialize: missing, request: missing, event: missing, fallback: missing, ...part };
}
