/** One thing that is counted, such as a network's calls of one endpoint. */
export interface Bucket {
  /** Holds no address, token or other text of a client: only hashes. */
  readonly key: string;
  /** At least 1. */
  readonly limitPerMinute: number;
}

/** How many of the wanted requests pass (1..wanted), or after how many whole seconds (1..60) one would. */
export type Grant = { readonly passing: number } | { readonly retryAfterSeconds: number };

/** Counts requests per minute. Contract: docs/contract/rate-limits.md#window. */
export interface RateLimiter {
  /** Counts as many of the `wanted` requests (at least 1) as pass; a refused one is not counted. */
  take(bucket: Bucket, wanted: number, nowMs: number): Promise<Grant>;
  /** Uncounts a request that passed here at `takenAtMs` and was refused elsewhere. */
  giveBack(bucket: Bucket, takenAtMs: number, nowMs: number): Promise<void>;
}
