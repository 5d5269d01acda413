/** What the product's processes are to leave out. */
export const ORDER_FILE = 'order.json';

/** What a process says to the last order. */
export function reportFile(process: string): string {
  return `${process}.json`;
}
