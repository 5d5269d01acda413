import type { Count } from './tally.js';

/** A number with its thousands set apart. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count, or its bounds where the truth is not known, such as `12 to 13`. */
export function countText({ least, most }: Count): string {
  return least === most ? counted(least) : `${counted(least)} to ${counted(most)}`;
}

/** A count of things, such as `2 apps killed` and `1 app killed`. The first word of `things` is a plural in -s. */
export function amount(count: number | Count, things: string): string {
  const bounds = typeof count === 'number' ? { least: count, most: count } : count;
  const isOne = bounds.least === 1 && bounds.most === 1;
  return `${countText(bounds)} ${isOne ? things.replace(/s\b/, '') : things}`;
}
