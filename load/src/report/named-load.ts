import type { LoadFigures } from '../figures.js';

/** A stretch of load and what it is called. */
export interface NamedLoad {
  readonly name: string;
  readonly figures: LoadFigures;
  /** Whether only its CPU is asked for; without it, its latencies too. */
  readonly isPriceOnly?: true;
}
