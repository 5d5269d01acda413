import type { Operation } from '../operations.js';
import type { PlacementEntry } from '../market/market.js';
import type { Fill, Phone } from './phone.js';

/**
 * What came back, as one word or a few: `started`, `fill`, `no_fill <reason>`, `accepted`, a rejection reason, or an error
 * such as `429 rate_limited`, `UNAVAILABLE`, `timeout`.
 */
export type Code = string;

/** Is told that a request has left the client: what it waits from then on is not the client's doing. */
export type Written = () => void;

/** What a target can be asked, over whatever protocol. No function rejects: every failure is a code. */
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

/** Longest wait for an answer, in milliseconds. */
export const ANSWER_MS_MAX = 10_000;

/** Nobody wants the phone, or it has seen enough of the placement. */
const NO_FILLS: ReadonlySet<Code> = new Set(['no_fill no_eligible_campaign', 'no_fill frequency_capped']);

/** Whether an answer is the one that the contract promises to well-behaved traffic. */
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

/** An API of which only some is there: asking for the rest is a mistake of the caller. */
export function partialApi(part: Partial<Api> & Pick<Api, 'close'>): Api {
  const missing = (): Promise<never> => Promise.reject(new Error('the target cannot be asked this'));
  return { initialize: missing, request: missing, event: missing, fallback: missing, ...part };
}
