/**
 * Turns rows into one array per column, for `unnest`: one statement of fixed text stores a group of any size, so that its
 * plan is kept.
 */
export function toColumns<Row>(
  rows: readonly Row[],
  columns: readonly ((row: Row) => unknown)[],
): readonly (readonly unknown[])[] {
  return columns.map((read) => rows.map(read));
}
