/** File with the part that the product's processes must leave out. */
export const ORDER_FILE = 'order.json';

/** File with the report of a process on the last order. */
export function reportFile(process: string): string {
  return `${process}.json`;
}
