import { type Random, DAY_SHARES } from '@placard/service-kit/pure';

/** Minutes of a day. */
export const DAY_MINUTES = 1_440;

/** The relative traffic of a minute of the day, 0..1439. */
export type DayShape = (minute: number) => number;

function hill(minute: number, topAt: number, width: number): number {
  return 1 / (1 + ((minute - topAt) / width) ** 2);
}

/** Constant traffic. */
export const flat: DayShape = () => 1;

/** A quiet night, a peak at lunch and a higher one in the evening. */
export const doublePeak: DayShape = (minute) =>
  0.12 + 0.8 * hill(minute, 760, 90) + 1.2 * hill(minute, 1_215, 80);

/** A busy day whose traffic ends at 21:00. */
export const cliff: DayShape = (minute) => (minute < 1_260 ? 0.3 + hill(minute, 800, 150) : 0.02);

/** The double peak with fifteen times the traffic for a quarter of an hour. */
export const spike: DayShape = (minute) => doublePeak(minute) * (minute >= 930 && minute < 945 ? 15 : 1);

/** The double peak with three hours without traffic. */
export const outage: DayShape = (minute) => (minute >= 600 && minute < 780 ? 0 : doublePeak(minute));

/** The learned curve of a shape: its half hours, each with a small error. */
export function learnedShares(shape: DayShape, noise: number, random: Random): number[] {
  const weights = Array.from({ length: DAY_SHARES }, (_, at) => {
    let sum = 0;
    for (let minute = at * 30; minute < at * 30 + 30; minute += 1) sum += shape(minute);
    return Math.max(1e-6, sum * Math.exp(noise * 2 * (random.next() + random.next() - 1)));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** A random number of arrivals with this mean. Above 30 it is drawn from an approximate normal distribution. */
export function arrivals(mean: number, random: Random): number {
  if (mean > 30)
    return Math.round(mean + Math.sqrt(mean) * (random.next() + random.next() + random.next() - 1.5) * 2);
  let count = -1;
  for (let left = 1, end = Math.exp(-mean); left > end; count += 1) left *= random.next();
  return Math.max(0, count);
}
