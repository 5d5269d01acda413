import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { inChange, runSql } from '../../store/run-sql.js';
import type { AccountFunds } from '../domain/deposit-rules.js';
import type { Transfer } from '../domain/transfer-rules.js';
import { fromTransferRow, type TransferRow } from './rows.js';
import type { TransferStore } from './transfers.js';

const readSql = loadText(import.meta.url, './read-transfer.sql');
const addSql = loadText(import.meta.url, './add-transfer.sql');
const readUnbookedSql = loadText(import.meta.url, './read-unbooked-transfers.sql');
const lockSql = loadText(import.meta.url, './lock-transfer.sql');
const markBookedSql = loadText(import.meta.url, './mark-transfer-booked.sql');
const markRefusedSql = loadText(import.meta.url, './mark-transfer-refused.sql');
const lockVersionSql = loadText(import.meta.url, '../../catalog/store/lock-version.sql');
const noteCloseSql = loadText(import.meta.url, './note-close.sql');
const readSumsSql = loadText(import.meta.url, './read-transfer-sums.sql');

/** The payouts and refunds in Postgres, schema `accounts`. */
export function makePgTransferStore(pool: Pool): TransferStore {
  return {
    async read(kind, reference) {
      const [row] = await runSql<TransferRow & { readonly is_booked: boolean }>(pool, readSql, [
        kind,
        reference,
      ]);
      return row === undefined ? undefined : { transfer: fromTransferRow(row), isBooked: row.is_booked };
    },
    async add({ transfer: { kind, reference, account, amountNanos }, actor, atMs }) {
      const row = [kind, reference, account.id, amountNanos, actor, atMs];
      return (await runSql(pool, addSql, row)).length > 0;
    },
    async readUnbooked(kind, countMax) {
      const rows = await runSql<TransferRow>(pool, readUnbookedSql, [kind, countMax]);
      return rows.map(fromTransferRow);
    },
    settle: (transfer, atMs, ask) =>
      inChange(pool, async (db) => {
        const { kind, reference } = transfer;
        const [row] = await runSql<LockedRow>(db, lockSql, [kind, reference]);
        if (row === undefined || !isSame(fromTransferRow(row), transfer)) return REPLACED;
        if (row.is_booked || row.refusal !== null) return row.refusal;
        const reason = await ask();
        if (reason === null) await runSql(db, markBookedSql, [kind, reference, atMs]);
        else await runSql(db, markRefusedSql, [kind, reference, reason, atMs]);
        return reason;
      }),
    noteClose: (month, actor, atMs) =>
      inChange(pool, async (db) => {
        await runSql(db, lockVersionSql);
        await runSql(db, noteCloseSql, [month, actor, atMs]);
      }),
    readSums: () => runSql<AccountFunds>(pool, readSumsSql),
  };
}

interface LockedRow extends TransferRow {
  readonly is_booked: boolean;
  readonly refusal: string | null;
}

/** Why a transfer is not asked for: another request was quicker. */
const REPLACED =
  'another request has taken its reference meanwhile. Ask for the same again to learn which one.';

function isSame(left: Transfer, right: Transfer): boolean {
  return left.account.id === right.account.id && left.amountNanos === right.amountNanos;
}
