/** The growth of a value per hour, with its 95 % confidence interval. */
export interface Slope {
  readonly perHour: number;
  readonly low: number;
  readonly high: number;
}

/** A value at a time. */
export type Point = readonly [hours: number, value: number];

const POINTS_MIN = 4;
/** Shortest observation. In its first minutes a process fills its heap and caches, which is no leak. */
const HOURS_MIN = 5 / 60;

/**
 * The least-squares slope. Neighbouring points are correlated (a heap grows until it is collected). So the number of
 * independent points is reduced by the correlation of each residual with the next. Null for fewer than four points or less
 * than five minutes.
 */
export function slopeOf(points: readonly Point[]): Slope | null {
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  if (points.length < POINTS_MIN || last - first < HOURS_MIN) return null;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const spread = sum(points.map(([x]) => (x - meanX) ** 2));
  const perHour = sum(points.map(([x, y]) => (x - meanX) * (y - meanY))) / spread;
  const rests = points.map(([x, y]) => y - meanY - perHour * (x - meanX));
  const squares = sum(rests.map((rest) => rest ** 2));
  if (squares === 0) return { perHour, low: perHour, high: perHour };
  const likeness = Math.max(0, sum(rests.slice(1).map((rest, at) => rest * (rests[at] ?? 0))) / squares);
  const independent = Math.max(POINTS_MIN, (points.length * (1 - likeness)) / (1 + likeness));
  const freedom = independent - 2;
  const margin = studentsT(freedom) * Math.sqrt(squares / freedom / spread);
  return { perHour, low: perHour - margin, high: perHour + margin };
}

/** Student's t for 95 %, approximated, from two degrees of freedom on. */
function studentsT(freedom: number): number {
  return 1.96 + 2.4 / freedom + 4.5 / freedom ** 2;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
