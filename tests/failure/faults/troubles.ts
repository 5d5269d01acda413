/** A request of the phones with a 5xx or without an answer, and the phase of the test. */
export interface Trouble {
  readonly phase: string;
  /** Description such as `/events/click 500 …`. */
  readonly what: string;
}

/** One line for equal troubles, with their number. */
export function countedLines(troubles: readonly Trouble[]): string[] {
  const counts = new Map<string, number>();
  for (const { phase, what } of troubles) {
    const line = `${phase}: ${what}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => `  ${count} × ${line}`);
}

/** Share of the requests that a busy machine of two cores makes late without a fault. */
const LATE_SHARE_MAX = 0.005;

/** Lines of the troubles that are not expected; none while they are at most this share of all requests. */
export function unexpectedLines(
  troubles: readonly Trouble[],
  requests: number,
  isExpected: (trouble: Trouble) => boolean,
): string[] {
  const unexpected = troubles.filter((trouble) => !isExpected(trouble));
  return unexpected.length <= requests * LATE_SHARE_MAX ? [] : countedLines(unexpected);
}
