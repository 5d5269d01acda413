import type { Mix, Operation, Target } from '../operations.js';
import type { Outcome } from './api.js';
import type { Slot } from './slots.js';
import type { Keys } from './supply.js';

/** The assignment of a generator process. */
export interface Assignment {
  /** `skeleton` and `plain` are the two programs that the product is compared with. */
  readonly target: Target | 'skeleton' | 'plain';
  /** `host:port`. */
  readonly address: string;
  /** The catalog file whose apps (and for sealed ads, campaigns) are used. */
  readonly catalogFile: string;
  /** Null: tokens come from real calls. */
  readonly keys: Keys | null;
  /** Address for these calls when the target does not answer them itself. */
  readonly sessionAddress: string | null;
  readonly servingAddress: string | null;
  readonly sessions: number;
  /** Longest wait of a client for an HTTP answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Life of an ad, in milliseconds: an ad that is older is not shown. */
  readonly adMs: number;
  readonly acceptsGzip: boolean;
  readonly seed: number;
}

/** One stretch of load. */
export interface Phase {
  readonly mix: Mix;
  /** Calls per second of an open loop; null: a closed loop. */
  readonly rate: number | null;
  /** Pending calls of a closed loop. */
  readonly concurrency: number;
  /** Most calls of a closed loop; null: it ends only by its time. */
  readonly callsMax: number | null;
  /** Duration of the load before the measurement. */
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Load that follows at once in an open loop; null: none. */
  readonly fall: Fall | null;
  /** Whether calls that start new sessions are measured. */
  readonly callsForSessions: boolean;
  /** Whether the phase ends when no ad is left to show. */
  readonly endsWithoutFills: boolean;
  /** Whether answered sessions and ads are used later. */
  readonly keepsAnswers: boolean;
}

/** Lower load after a phase, which shows how fast the target recovers. */
export interface Fall {
  /** Calls per second. */
  readonly rate: number;
  readonly durationMs: number;
  /** Longest latency of a quick answer, in milliseconds. */
  readonly quickMs: number;
}

/** A message to a generator. */
export type Order =
  | { readonly kind: 'open'; readonly assignment: Assignment }
  | { readonly kind: 'run'; readonly phase: Phase }
  | { readonly kind: 'close' };

/** One second, or the rest of one. */
export interface Second {
  /** Ended calls. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Encoded. */
  readonly histogram: string;
}

/** The counts of one operation. */
export interface Counted {
  readonly operation: Operation;
  /** Encoded. */
  readonly histogram: string;
  readonly codes: Readonly<Record<string, number>>;
}

/** The result of a phase. */
export interface PhaseResult {
  readonly measuredMs: number;
  readonly counted: readonly Counted[];
  /** Latencies by outcome; encoded histograms. */
  readonly outcomes: Readonly<Record<Outcome, string>>;
  /** Planned calls that were not made, because too many were pending. */
  readonly unsent: number;
  /** How late the generator itself was with each planned call; an encoded histogram, empty for a closed loop. */
  readonly lateness: string;
  /** The calls after the fall. */
  readonly afterFall: readonly Slot[];
  /** Time from the start of a latency until the request left the client; an encoded histogram. */
  readonly clientWait: string;
  /** Delay of the generator's event loop, in milliseconds. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number };
  /** Accepted events, including those of the warm-up. Fallbacks are left out: they are counted and never settled. */
  readonly accepted: number;
  /** Ads that were not shown yet. */
  readonly waitingFills: number;
}

/** A message from a generator. */
export type Report =
  | { readonly kind: 'opened' }
  /** The warm-up is over. */
  | { readonly kind: 'measuring' }
  | { readonly kind: 'second'; readonly second: Second }
  | { readonly kind: 'done'; readonly result: PhaseResult }
  | { readonly kind: 'failed'; readonly message: string };
