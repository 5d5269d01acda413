const DIGIT = /\d/;
/** Own parts of an id, such as `spring` of `cmp_spring_2`. */
const PART_SEPARATOR = '_';

/**
 * Whether two ids look like one id with a typing mistake: one letter is missing, added, different or swapped with its
 * neighbour. Ids that differ in a digit or in a part of one letter are a series, such as `cmp_a` and `cmp_b`.
 */
export function isNearMiss(left: string, right: string): boolean {
  if (left === right || Math.abs(left.length - right.length) > 1) return false;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  const at = firstDifference(short, long);
  if (isSeries(short, at) || isSeries(long, at)) return false;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}

function firstDifference(short: string, long: string): number {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return at;
}

/** Whether the character at `at` is a digit or a separator, or stands alone between separators. */
function isSeries(id: string, at: number): boolean {
  const character = id[at];
  if (character === undefined) return false;
  if (character === PART_SEPARATOR || DIGIT.test(character)) return true;
  return isPartEnd(id[at - 1]) && isPartEnd(id[at + 1]);
}

function isPartEnd(character: string | undefined): boolean {
  return character === undefined || character === PART_SEPARATOR;
}
