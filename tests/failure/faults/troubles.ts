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
