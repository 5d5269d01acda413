import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import { dayOf, type AccountId } from '@placard/service-kit/pure';
import { toAdjustmentEntries } from '../domain/adjustment.js';
import { toDepositEntries } from '../domain/deposit.js';
import { sumEntries, type LedgerEntry } from '../domain/ledger-entry.js';
import { addToAccounts, openBookings, writeEntries } from './bookings.pg.js';
import type { AccountBalance, Adjustment, BookingOutcome, Deposit, LedgerStore } from './ledger.js';
import { whileAvailable } from '../../store/postgres-errors.js';

const selectBalances = loadText(import.meta.url, './select-balances.sql');
const selectBooked = loadText(import.meta.url, './select-booked.sql');
const selectTotals = loadText(import.meta.url, './select-ledger-totals.sql');

/** Opens {@link LedgerStore} on Postgres. */
export function openLedgerStore(pool: Pool): LedgerStore {
  return {
    recordDeposit: (deposit) =>
      whileAvailable(() => inTransaction(pool, (client) => book(client, ofDeposit(deposit)))),
    recordAdjustment: (adjustment) =>
      whileAvailable(() => inTransaction(pool, (client) => book(client, ofAdjustment(adjustment)))),
    balances: ({ advertiserIds, publisherIds }) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{
          kind: AccountBalance['kind'];
          id: AccountId;
          balance_nanos: bigint;
        }>(selectBalances, [advertiserIds, publisherIds]);
        return rows.map((row) => ({ kind: row.kind, id: row.id, balanceNanos: row.balance_nanos }));
      }),
    totals: () =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{ sum_nanos: bigint; overdrawn_nanos: bigint }>(selectTotals);
        return { sumNanos: rows[0]?.sum_nanos ?? 0n, overdrawnNanos: rows[0]?.overdrawn_nanos ?? 0n };
      }),
  };
}

/** A booking that an operator requested under a reference. */
interface SingleBooking {
  readonly kind: 'deposit' | 'adjustment';
  readonly reference: string;
  readonly atMs: number;
  readonly reason: string | null;
  /** The first is that of the named account; the second is the counter-entry. */
  readonly entries: readonly [LedgerEntry, LedgerEntry];
}

function ofDeposit(deposit: Deposit): SingleBooking {
  const { reference, atMs } = deposit;
  const entries = toDepositEntries({ ...deposit, day: dayOf(atMs) });
  return { kind: 'deposit', reference, atMs, reason: null, entries };
}

function ofAdjustment(adjustment: Adjustment): SingleBooking {
  const { reference, atMs, reason } = adjustment;
  const entries = toAdjustmentEntries({ ...adjustment, day: dayOf(atMs) });
  return { kind: 'adjustment', reference, atMs, reason, entries };
}

async function book(client: PoolClient, booking: SingleBooking): Promise<BookingOutcome> {
  const { kind, reference, atMs, reason, entries } = booking;
  const opened = await openBookings(client, kind, [
    { id: reference, day: dayOf(atMs), occurredAtMs: atMs, reason },
  ]);
  if (!opened.has(reference)) return (await isBooked(client, booking)) ? 'same' : 'other';
  await writeEntries(client, kind, entries);
  await addToAccounts(client, kind, sumEntries(entries));
  return 'new';
}

async function isBooked(client: PoolClient, { kind, reference, entries }: SingleBooking): Promise<boolean> {
  const [asked] = entries;
  const { rows } = await client.query<{ account_kind: string; account_id: string; amount_nanos: bigint }>(
    selectBooked,
    [kind, reference],
  );
  const [booked] = rows;
  return (
    booked?.account_kind === asked.accountKind &&
    booked.account_id === asked.accountId &&
    booked.amount_nanos === asked.amountNanos
  );
}
