import type { PoolClient } from '@placard/service-kit/postgres';
import { HOUR_MS } from '@placard/service-kit/pure';

/** A value of a column. */
export type ColumnValue = string | number | bigint | boolean | null;

/**
 * Turns rows into one array literal per column, for `unnest`. So one statement with a fixed text and a cached plan stores a
 * group of any size. The driver would take three times as long to make the literals.
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

/** The place of a count, in the order of the parameters of the statements of `stats`. */
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

/** The place of a count as columns. */
export const PLACE_COLUMNS: readonly ((count: ReportPlace) => ColumnValue)[] = [
  (count) => count.publisherId,
  (count) => count.appId,
  (count) => count.placement,
  (count) => count.format,
  (count) => count.country,
];

/** The ad of a count as columns. */
export const AD_COLUMNS: readonly ((count: ReportAd) => ColumnValue)[] = [
  (count) => count.advertiserId,
  (count) => count.campaignId,
  (count) => count.creativeId,
];

/** The start of a count's hour (hours since 1970), epoch ms. */
export function hourStartOf(count: { readonly hour: number }): number {
  return count.hour * HOUR_MS;
}

/** Runs a statement that takes its rows as columns; does nothing without rows. */
export async function addRows<Row>(
  client: Pick<PoolClient, 'query'>,
  statement: { readonly name: string; readonly text: string },
  rows: readonly Row[],
  columns: readonly ((row: Row) => ColumnValue)[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query({ ...statement, values: [...toColumns(rows, columns)] });
}
