import { randomIndex, type Random } from '@placard/service-kit/pure';

/** Longest `Retry-After` of an overload, in seconds. */
export const OVERLOAD_RETRY_SECONDS_MAX = 5;

/**
 * Whole seconds, 1..{@link OVERLOAD_RETRY_SECONDS_MAX}. They differ, so that refused clients do not all return at the same
 * moment. Contract: docs/contract/failures.md#overload.
 */
export function overloadRetrySeconds(random: Random): number {
  return 1 + randomIndex(random, OVERLOAD_RETRY_SECONDS_MAX);
}
