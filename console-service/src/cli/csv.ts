import { inOneLine } from '@placard/service-kit/pure';

/** Rows as CSV (RFC 4180): a cell with a comma or a quote is quoted, and stands on one line as it is shown. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** What a spreadsheet would take for a formula when a cell begins with it; the line breaks come before one. */
const FORMULA_STARTS = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);

/** A cell that people have written: a single quote before it lets a spreadsheet show it as text where it looks like a formula. */
export function freeText(text: string): string {
  return FORMULA_STARTS.has(text.charAt(0)) ? `'${text}` : text;
}

function quoted(text: string): string {
  const shown = inOneLine(text);
  return /[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
