/** One thing that is counted, such as a network's calls of one endpoint. */
export interface Bucket {
  /** Holds no address, token or other text of a client: only hashes. */
  readonly key: string;
  /** At least 1. */
  readonly limitPerMinute: number;
}

/** What became of a request at one bucket; null: it passes, else after how many whole seconds (1..60) one would. */
export type RetryAfterSeconds = number | null;

/** Counts requests per minute. Rulings: Rate limits. */
export interface RateLimiter {
  /** Counts the request if it passes; a refused one is not counted. */
  take(bucket: Bucket, nowMs: number): Promise<RetryAfterSeconds>;
  /** Uncounts a request that passed here at `takenAtMs` and was refused elsewhere. */
  giveBack(bucket: Bucket, takenAtMs: number, nowMs: number): Promise<void>;
}
