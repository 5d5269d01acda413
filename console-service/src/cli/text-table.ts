import { inOneLine } from '@placard/service-kit/pure';

/** Aligns rows in columns, two spaces apart. Columns from `rightFrom` on are right-aligned. The first row is the head. */
export function textTable(written: readonly (readonly string[])[], rightFrom: number): string {
  const rows = written.map((row) => row.map(inOneLine));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  const toLine = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column < rightFrom ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return `${rows.map(toLine).join('\n')}\n`;
}
