import type { LoadFigures } from '../figures.js';

/** A stretch of load and its name. */
export interface NamedLoad {
  readonly name: string;
  readonly figures: LoadFigures;
  /** Whether only its CPU is of interest; default: its latencies too. */
  readonly isPriceOnly?: true;
  /** Whether more is offered than the target can answer, so that refusals are right. */
  readonly isOverload?: true;
}
