import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import { dayOf, type AccountId } from '@placard/service-kit/pure';
import { toAdjustmentEntries } from '../domain/adjustment.js';
import { toDepositEntries } from '../domain/deposit.js';
import { sumEntries, type LedgerEntry } from '../domain/ledger-entry.js';
import { toTransferEntries, transferKind } from '../domain/transfer.js';
import { addToAccounts, firstOpenDay, openBookings, writeEntries, type BookingKind } from './bookings.pg.js';
import type {
  AccountBalance,
  Adjustment,
  BookingOutcome,
  Deposit,
  LedgerStore,
  Transfer,
  TransferOutcome,
} from './ledger.js';
import { whileAvailable } from '../../store/postgres-errors.js';

const selectBalances = loadText(import.meta.url, './select-balances.sql');
const selectBooked = loadText(import.meta.url, './select-booked.sql');
const moveRefunded = loadText(import.meta.url, './move-refunded.sql');
const selectAvailable = loadText(import.meta.url, './select-available.sql');
const selectTotals = loadText(import.meta.url, './select-ledger-totals.sql');

/** Opens {@link LedgerStore} on Postgres. */
export function openLedgerStore(pool: Pool): LedgerStore {
  return {
    recordDeposit: (deposit) =>
      whileAvailable(() => inTransaction(pool, (client) => book(client, ofDeposit(deposit)))),
    recordAdjustment: (adjustment) =>
      whileAvailable(() => inTransaction(pool, (client) => book(client, ofAdjustment(adjustment)))),
    recordTransfer: (transfer, isAwaited) =>
      whileAvailable(() => transferOrRollBack(pool, transfer, isAwaited)),
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
  readonly kind: BookingKind;
  readonly reference: string;
  readonly atMs: number;
  readonly reason: string | null;
  /** The first is that of the named account; the second is the counter-entry. `day`: UTC day since 1970. */
  readonly entriesOf: (day: number) => readonly [LedgerEntry, LedgerEntry];
}

function ofDeposit(deposit: Deposit): SingleBooking {
  const { reference, atMs } = deposit;
  const entriesOf = (day: number) => toDepositEntries({ ...deposit, day });
  return { kind: 'deposit', reference, atMs, reason: null, entriesOf };
}

function ofAdjustment(adjustment: Adjustment): SingleBooking {
  const { reference, atMs, reason } = adjustment;
  const entriesOf = (day: number) => toAdjustmentEntries({ ...adjustment, day });
  return { kind: 'adjustment', reference, atMs, reason, entriesOf };
}

function ofTransfer(transfer: Transfer): SingleBooking {
  const { reference, atMs, accountKind } = transfer;
  const entriesOf = (day: number) => toTransferEntries({ ...transfer, day });
  return { kind: transferKind(accountKind), reference, atMs, reason: null, entriesOf };
}

async function book(client: PoolClient, booking: SingleBooking): Promise<BookingOutcome> {
  const { kind, reference, atMs, reason } = booking;
  // A clock that is behind must not book into a month that is closed.
  const day = Math.max(dayOf(atMs), (await firstOpenDay(client)) ?? 0);
  const entries = booking.entriesOf(day);
  const opened = await openBookings(client, kind, [{ id: reference, day, occurredAtMs: atMs, reason }]);
  if (!opened.has(reference)) return (await isBooked(client, booking, entries[0])) ? 'same' : 'other';
  await writeEntries(client, kind, entries);
  await addToAccounts(client, kind, sumEntries(entries));
  return 'new';
}

async function isBooked(
  client: PoolClient,
  { kind, reference }: SingleBooking,
  asked: LedgerEntry,
): Promise<boolean> {
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

/** Rolls the transaction of a transfer back: it is not booked. */
class NotBookedError extends Error {
  constructor(readonly outcome: TransferOutcome) {
    super('the transfer is not booked');
  }
}

async function transferOrRollBack(
  pool: Pool,
  transfer: Transfer,
  isAwaited: () => boolean,
): Promise<TransferOutcome> {
  try {
    return { booked: await inTransaction(pool, (client) => bookTransfer(client, transfer, isAwaited)) };
  } catch (error) {
    if (error instanceof NotBookedError) return error.outcome;
    throw error;
  }
}

/**
 * A refund locks the sums of the advertiser's leases first, as a grant does. The rows of the accounts are locked by the
 * booking, so what is read after it cannot change before the commit.
 */
async function bookTransfer(
  client: PoolClient,
  transfer: Transfer,
  isAwaited: () => boolean,
): Promise<BookingOutcome> {
  const { accountKind, accountId, amountNanos } = transfer;
  if (accountKind === 'advertiser') await client.query(moveRefunded, [accountId, amountNanos]);
  const outcome = await book(client, ofTransfer(transfer));
  if (outcome !== 'new') {
    if (accountKind === 'advertiser') await client.query(moveRefunded, [accountId, -amountNanos]);
    return outcome;
  }
  const { rows } = await client.query<{ available_nanos: bigint }>(selectAvailable, [accountKind, accountId]);
  const availableNanos = rows[0]?.available_nanos ?? 0n;
  if (availableNanos < 0n)
    throw new NotBookedError({ booked: 'short', availableNanos: availableNanos + amountNanos });
  if (!isAwaited()) throw new NotBookedError({ booked: 'late' });
  return outcome;
}
