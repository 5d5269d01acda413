/** A request of the phones that got no answer, or a 5xx, and what went on then. */
export interface Trouble {
  readonly phase: string;
  /** `/events/click 500 …`, in words. */
  readonly what: string;
}

/** The same ones once, with their number. */
export function countedLines(troubles: readonly Trouble[]): string[] {
  const counts = new Map<string, number>();
  for (const { phase, what } of troubles) {
    const line = `${phase}: ${what}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => `  ${count} × ${line}`);
}
