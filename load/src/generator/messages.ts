import type { Mix, Operation, Target } from '../operations.js';
import type { Keys } from './supply.js';

/** What a generator process is to put under load. */
export interface Assignment {
  /** `skeleton` and `plain` are the two shapes that the product is compared with. */
  readonly target: Target | 'skeleton' | 'plain';
  /** `host:port`. */
  readonly address: string;
  /** The catalog file whose apps (and for sealed ads, campaigns) are used. */
  readonly catalogFile: string;
  /** Null: tokens are had by real calls. */
  readonly keys: Keys | null;
  /** Where those calls go when the target does not answer them itself. */
  readonly sessionAddress: string | null;
  readonly servingAddress: string | null;
  readonly sessions: number;
  /** At most; infinite: as many as there are calls on their way. */
  readonly connections: number;
  readonly acceptsGzip: boolean;
  readonly seed: number;
}

/** One stretch of load. */
export interface Phase {
  readonly mix: Mix;
  /** Sends a second in an open loop; null: a closed loop. */
  readonly rate: number | null;
  /** Calls that are on their way at the same time in a closed loop. */
  readonly concurrency: number;
  /** A closed loop ends after so many calls; null: only by its time. */
  readonly callsMax: number | null;
  /** Load before the measurement begins. */
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Whether new sessions are begun by calls that are measured. */
  readonly callsForSessions: boolean;
  /** Whether the phase ends when no ad is left to show. */
  readonly endsWithoutFills: boolean;
  /** Whether sessions and ads that it is given are used from then on. */
  readonly keepsAnswers: boolean;
}

/** To a generator. */
export type Order =
  | { readonly kind: 'open'; readonly assignment: Assignment }
  | { readonly kind: 'run'; readonly phase: Phase }
  | { readonly kind: 'close' };

/** One second, or what was left of one. */
export interface Second {
  readonly answers: number;
  readonly unexpected: number;
  /** Encoded. */
  readonly histogram: string;
}

/** What one operation brought. */
export interface Counted {
  readonly operation: Operation;
  /** Encoded. */
  readonly histogram: string;
  readonly codes: Readonly<Record<string, number>>;
}

/** What a phase brought. */
export interface PhaseResult {
  readonly measuredMs: number;
  readonly counted: readonly Counted[];
  /** Sends of the plan that were never made, since too many were on their way. */
  readonly unsent: number;
  /** From the time from which a latency counts until the request had left the client; a histogram, encoded. */
  readonly clientWait: string;
  /** How late the generator's event loop was, in milliseconds. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number };
  /** Accepted events, those of the warm-up too; without fallbacks, which are counted and never settled. */
  readonly accepted: number;
  /** Ads that were not shown yet. */
  readonly waitingFills: number;
}

/** From a generator. */
export type Report =
  | { readonly kind: 'opened' }
  /** The warm-up is over. */
  | { readonly kind: 'measuring' }
  | { readonly kind: 'second'; readonly second: Second }
  | { readonly kind: 'done'; readonly result: PhaseResult }
  | { readonly kind: 'failed'; readonly message: string };
