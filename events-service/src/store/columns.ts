import type { PoolClient } from '@placard/service-kit/postgres';
import { HOUR_MS } from '@placard/service-kit/pure';

/** What can stand in a column. */
export type ColumnValue = string | number | bigint | boolean | null;

/**
 * Turns rows into one array literal per column, for `unnest`: one statement of fixed text stores a group of any size, so
 * that its plan is kept. The literals are made here, since the driver takes three times as long.
 */
export function toColumns<Row>(
  rows: readonly Row[],
  columns: readonly ((row: Row) => ColumnValue)[],
): readonly string[] {
  return columns.map((read) => {
    let literal = '';
    for (const row of rows) literal += `${literal === '' ? '{' : ','}${toElement(read(row))}`;
    return literal === '' ? '{}' : `${literal}}`;
  });
}

const ESCAPED = /["\\]/;

function toElement(value: ColumnValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return ESCAPED.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

/** What reports are split by, in the order in which the statements of `stats` take it. */
interface ReportPlace {
  readonly publisherId: string;
  readonly appId: string;
  readonly placement: string;
  readonly format: string;
  /** Empty: not known. */
  readonly country: string;
}
interface ReportAd {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly creativeId: string;
}

/** Where something happened, as columns. */
export const PLACE_COLUMNS: readonly ((count: ReportPlace) => ColumnValue)[] = [
  (count) => count.publisherId,
  (count) => count.appId,
  (count) => count.placement,
  (count) => count.format,
  (count) => count.country,
];

/** Which ad it happened to, as columns. */
export const AD_COLUMNS: readonly ((count: ReportAd) => ColumnValue)[] = [
  (count) => count.advertiserId,
  (count) => count.campaignId,
  (count) => count.creativeId,
];

/** The start of a count's hour (hours since 1970), epoch ms. */
export function hourStartOf(count: { readonly hour: number }): number {
  return count.hour * HOUR_MS;
}

/** Runs a statement that takes its rows as columns; without rows there is nothing to do. */
export async function addRows<Row>(
  client: Pick<PoolClient, 'query'>,
  statement: { readonly name: string; readonly text: string },
  rows: readonly Row[],
  columns: readonly ((row: Row) => ColumnValue)[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query({ ...statement, values: [...toColumns(rows, columns)] });
}
