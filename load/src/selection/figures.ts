/** Durations of one selection, in microseconds. */
export interface SelectionTimes {
  readonly p50: number;
  readonly p99: number;
}

/** Durations of applying one change to the index, in milliseconds. The event loop is blocked during it. */
export interface ChangeTimes {
  /** Name of the change. */
  readonly name: string;
  readonly p50: number;
  readonly max: number;
}

/** Figures of selection and index for a number of campaigns. */
export interface SelectionFigures {
  readonly campaigns: number;
  /** Times when all campaigns have money. */
  readonly fresh: SelectionTimes;
  /** Times when the highest-bidding 19 of 20 campaigns are spent out. */
  readonly spent: SelectionTimes;
  /** Times of one explanation, when all campaigns have money. */
  readonly explain: SelectionTimes;
  readonly buildMs: number;
  /** Heap of the index, without the catalog. */
  readonly heapMiB: number;
  readonly changes: readonly ChangeTimes[];
}

/** The percentile of values; NaN when there is none. Sorts in place. */
export function percentileOf(values: Float64Array, percent: number): number {
  values.sort();
  return values[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? Number.NaN;
}
