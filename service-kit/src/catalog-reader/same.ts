/**
 * Whether two catalog objects of one kind are equal. The objects are flat except for lists of plain values and the
 * frequency cap. Therefore this is about ten times as fast as a general comparison, which matters when a snapshot is
 * compared.
 */
export function isSame<T extends object>(one: T, other: T): boolean {
  for (const name of Object.keys(one) as (keyof T)[]) {
    if (!isSameValue(one[name], other[name])) return false;
  }
  return true;
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return false;
  return isSame(one, other);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
