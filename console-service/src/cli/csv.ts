import { inOneLine } from '@placard/service-kit/pure';

/** Rows as CSV (RFC 4180). A cell with a comma or a quote is quoted. Each cell is made safe to show, on one line. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** First characters by which a spreadsheet reads a cell as a formula. Tabs and line breaks may precede a formula. */
const FORMULA_STARTS = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);

/** A cell with free text. A single quote before a text that looks like a formula makes a spreadsheet show it as text. */
export function freeText(text: string): string {
  return FORMULA_STARTS.has(text.charAt(0)) ? `'${text}` : text;
}

function quoted(text: string): string {
  const shown = inOneLine(text);
  return /[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
