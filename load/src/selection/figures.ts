/** How long one selection takes, in microseconds. */
export interface SelectionTimes {
  readonly p50: number;
  readonly p99: number;
}

/** What taking one change into the index costs, in milliseconds. The event loop stands still for all of it. */
export interface ChangeTimes {
  /** What was changed. */
  readonly name: string;
  readonly p50: number;
  readonly max: number;
}

/** Selection and index with so many campaigns. */
export interface SelectionFigures {
  readonly campaigns: number;
  /** With money left everywhere. */
  readonly fresh: SelectionTimes;
  /** With the dearest 19 of 20 campaigns spent out. */
  readonly spent: SelectionTimes;
  readonly buildMs: number;
  /** What the index holds beside the catalog. */
  readonly heapMiB: number;
  readonly changes: readonly ChangeTimes[];
}

/** The value below which so many per cent of them lie; NaN when there is none. Sorts in place. */
export function percentileOf(values: Float64Array, percent: number): number {
  values.sort();
  return values[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? Number.NaN;
}
