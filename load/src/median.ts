/** The median of a list, or the mean of both middle values; NaN when it is empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** The smallest and the largest value, such as `3.1 – 4.0`. */
export function spread(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} – ${Math.max(...values).toFixed(digits)}`;
}
