import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import type { AccountFunds } from '../domain/deposit-rules.js';
import type { FundsBook } from './funds-book.js';
import { fromAdjustmentRow, fromDepositRow, type AdjustmentRow, type DepositRow } from './rows.js';
import { runSql } from '../../store/run-sql.js';

const readUnbookedSql = loadText(import.meta.url, './read-unbooked.sql');
const markBookedSql = loadText(import.meta.url, './mark-booked.sql');
const readUnbookedAdjustmentsSql = loadText(import.meta.url, './read-unbooked-adjustments.sql');
const markAdjustmentsBookedSql = loadText(import.meta.url, './mark-adjustments-booked.sql');
const readFundsSql = loadText(import.meta.url, './read-funds.sql');

/** The deposits and adjustments in Postgres, schema `accounts`. */
export function makePgFundsBook(db: Queryable): FundsBook {
  return {
    deposits: {
      async readUnbooked(countMax) {
        const rows = await runSql<DepositRow>(db, readUnbookedSql, [countMax]);
        return rows.map(fromDepositRow);
      },
      async markBooked(references, atMs) {
        await runSql(db, markBookedSql, [references, atMs]);
      },
    },
    adjustments: {
      async readUnbooked(countMax) {
        const rows = await runSql<AdjustmentRow>(db, readUnbookedAdjustmentsSql, [countMax]);
        return rows.map(fromAdjustmentRow);
      },
      async markBooked(references, atMs) {
        await runSql(db, markAdjustmentsBookedSql, [references, atMs]);
      },
    },
    readFunds: () => runSql<AccountFunds>(db, readFundsSql),
  };
}
