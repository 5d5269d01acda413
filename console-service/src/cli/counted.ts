/** A number of things: `1 object`, `2 objects`. */
export function counted(count: number | bigint, thing: string): string {
  return `${count} ${thing}${BigInt(count) === 1n ? '' : 's'}`;
}
