import type { LoadOptions } from './options.js';

/** Receives lines about the progress. */
export type Say = (text: string) => void;

/** One run of the command. */
export interface Run {
  readonly options: LoadOptions;
  readonly say: Say;
  /** Aborted when the run must stop. All started processes end then, and waits for them fail. */
  readonly stopping: AbortSignal;
}
