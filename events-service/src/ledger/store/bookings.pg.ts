import { loadText } from '@placard/service-kit/files';
import type { PoolClient } from '@placard/service-kit/postgres';
import { dayToIso } from '@placard/service-kit/pure';
import type { AccountDaySum, LedgerEntry } from '../domain/ledger-entry.js';
import type { TransferKind } from '../domain/transfer.js';
import { toColumns } from '../../store/columns.js';

const insertTransactions = loadText(import.meta.url, './insert-transactions.sql');
const insertEntries = loadText(import.meta.url, './insert-entries.sql');
const addAccountDays = loadText(import.meta.url, './add-account-days.sql');
const addBalances = loadText(import.meta.url, './add-balances.sql');

/** The kind of a booking by hand. */
export type BookingKind = 'deposit' | 'adjustment' | TransferKind;

/** The head of a booking. */
export interface Booking {
  readonly id: string;
  /** UTC day (since 1970) to which it counts. */
  readonly day: number;
  /** Reason of an adjustment; null for the other kinds. */
  readonly reason: string | null;
  /** Epoch ms. */
  readonly occurredAtMs: number;
}

/** The first UTC day (since 1970) of the first open month; null while no month is closed. */
export async function firstOpenDay(client: Pick<PoolClient, 'query'>): Promise<number | null> {
  const { rows } = await client.query<{ day: number | null }>(
    "SELECT ledger.first_open_day() - date '1970-01-01' AS day",
  );
  return rows[0]?.day ?? null;
}

/** Inserts bookings that do not exist yet, and returns their ids. */
export async function openBookings(
  client: PoolClient,
  kind: BookingKind,
  bookings: readonly Booking[],
): Promise<ReadonlySet<string>> {
  if (bookings.length === 0) return new Set();
  const columns = toColumns(bookings, [
    (booking) => booking.id,
    (booking) => dayToIso(booking.day),
    (booking) => booking.occurredAtMs,
    (booking) => booking.reason,
  ]);
  const { rows } = await client.query<{ id: string }>({
    name: 'insert-transactions',
    text: insertTransactions,
    values: [kind, ...columns],
  });
  return new Set(rows.map((row) => row.id));
}

/** Writes the lines of bookings that were just inserted. */
export async function writeEntries(
  client: PoolClient,
  kind: BookingKind,
  entries: readonly LedgerEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const columns = toColumns(entries, [
    (entry) => entry.transactionId,
    (entry) => entry.accountKind,
    (entry) => entry.accountId,
    (entry) => dayToIso(entry.day),
    (entry) => entry.amountNanos,
  ]);
  await client.query({ name: 'insert-entries', text: insertEntries, values: [kind, ...columns] });
}

/** Adds entries to day sums and balances. It comes last in a transaction, because all bookings share these rows. */
export async function addToAccounts(
  client: PoolClient,
  kind: BookingKind,
  sums: readonly AccountDaySum[],
): Promise<void> {
  if (sums.length === 0) return;
  const days = toColumns(sums, [
    (sum) => sum.accountKind,
    (sum) => sum.accountId,
    (sum) => dayToIso(sum.day),
    (sum) => sum.sumNanos,
    (sum) => sum.entries,
  ]);
  await client.query({ name: 'add-account-days', text: addAccountDays, values: [kind, ...days] });
  const balances = toColumns(sums, [(sum) => sum.accountKind, (sum) => sum.accountId, (sum) => sum.sumNanos]);
  await client.query({ name: 'add-balances', text: addBalances, values: [...balances] });
}
