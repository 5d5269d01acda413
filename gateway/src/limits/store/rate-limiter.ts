/** A counted item, such as the calls of one network to one endpoint. */
export interface Bucket {
  /** It contains only hashes, and no address, token or other text of a client. */
  readonly key: string;
  /** At least 1. */
  readonly limitPerMinute: number;
}

/** The number of wanted requests that pass (1..wanted), or the wait in whole seconds (1..60) until one would pass. */
export type Grant = { readonly passing: number } | { readonly retryAfterSeconds: number };

/** Counts requests per minute. Contract: docs/contract/rate-limits.md#window. */
export interface RateLimiter {
  /** Counts as many of the `wanted` requests (at least 1) as pass. Refused requests are not counted. */
  take(bucket: Bucket, wanted: number, nowMs: number): Promise<Grant>;
  /** Uncounts a request that passed here at `takenAtMs` and was refused later. */
  giveBack(bucket: Bucket, takenAtMs: number, nowMs: number): Promise<void>;
}
