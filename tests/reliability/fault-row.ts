/** A fault that a test produced in the running product, and its effects. A row of docs/reliability.md. */
export interface FaultRow {
  /** What failed and for how long. Names the row: a later run of the same fault replaces it. */
  readonly fault: string;
  /** What SDK clients got while it lasted, with counts. */
  readonly clientsSaw: string;
  /** Milliseconds from the end of the fault until clients were served as before. Null: the test does not measure it. */
  readonly recoveredMs: number | null;
  /** Accepted events that were not settled. Null: the fault cannot touch money, or the test does not compare. */
  readonly lost: number | null;
  /** Events that were settled twice. Null: as for `lost`. */
  readonly doubled: number | null;
  /** Campaigns and accounts beyond their budget. Null: as for `lost`. */
  readonly overspent: number | null;
}

const HEAD = [
  '| fault | what clients saw | recovered after | lost | doubled | overspent |',
  '|---|---|---|---|---|---|',
].join('\n');

/** The rows as a Markdown table, ordered by fault. Null is shown as a dash. */
export function faultTable(rows: readonly FaultRow[]): string {
  const byFault = [...rows].sort((one, other) => (one.fault < other.fault ? -1 : 1));
  return [HEAD, ...byFault.map(lineOf)].join('\n') + '\n';
}

/** The faults that a table of {@link faultTable} names. */
export function faultsOf(table: string): string[] {
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.slice(2, line.indexOf(' | ', 2)));
}

function lineOf({ fault, clientsSaw, recoveredMs, lost, doubled, overspent }: FaultRow): string {
  const cells = [fault, clientsSaw, durationOf(recoveredMs), ...[lost, doubled, overspent].map(countOf)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function countOf(count: number | null): string {
  return count === null ? '–' : String(count);
}

function durationOf(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}
