/** A table for a terminal. The first column is left-aligned, numbers are right-aligned. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)];
}

/** Milliseconds with at most four significant characters. */
export function shortMs(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2);
}

/** Whole MiB; a dash when the value is not known. */
export function mib(value: number | null): string {
  return value === null ? '–' : value.toFixed(0);
}

/** A change from one figure to another, such as `+12 %`. */
export function changeText(before: number | undefined, after: number): string {
  if (before === undefined || before === 0) return 'new';
  const percent = (after / before - 1) * 100;
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(0)} %`;
}
