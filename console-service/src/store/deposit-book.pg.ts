import { loadText, type Pool } from '@placard/service-kit';
import type { DepositBook } from './deposit-book.js';
import { fromDepositRow, type DepositRow } from './rows.js';
import { runSql } from './run-sql.js';

const readUnbookedSql = loadText(import.meta.url, './read-unbooked.sql');
const markBookedSql = loadText(import.meta.url, './mark-booked.sql');
const readFundsSql = loadText(import.meta.url, './read-funds.sql');

/** The deposits in Postgres, schema `accounts`. */
export function makePgDepositBook(pool: Pool): DepositBook {
  return {
    async readUnbooked(countMax) {
      const rows = await runSql<DepositRow>(pool, readUnbookedSql, [countMax]);
      return rows.map(fromDepositRow);
    },
    async markBooked(references, atMs) {
      await runSql(pool, markBookedSql, [references, atMs]);
    },
    async readFunds() {
      const rows = await runSql<{ advertiser_id: string; funded_nanos: bigint }>(pool, readFundsSql);
      return rows.map((row) => ({ advertiserId: row.advertiser_id, fundedNanos: row.funded_nanos }));
    },
  };
}
