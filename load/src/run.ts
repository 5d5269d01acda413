import type { LoadOptions } from './options.js';

/** Is told how things go on, a line at a time. */
export type Say = (text: string) => void;

/** One run of the command. */
export interface Run {
  readonly options: LoadOptions;
  readonly say: Say;
  /** Aborted when it is to stop: whatever was started ends then, and what waits for it fails. */
  readonly stopping: AbortSignal;
}
