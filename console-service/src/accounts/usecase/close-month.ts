import { appError, toAppError } from '@placard/service-kit';
import { formatNanos, parseAmount } from '@placard/service-kit/pure';
import type { ClosedMonth, Ledger } from '../clients/ledger.js';
import type { MonthDays } from '../domain/month.js';
import type { TransferStore } from '../store/transfers.js';
import type { BookUnbooked } from './book-unbooked.js';
import { readMonthOrRefuse } from './read-month.js';
import type { VerifyBooks } from './verify-books.js';

/** A month that an operator closes. */
export interface CloseMonthRequest {
  /** Such as `2026-11`. */
  readonly month: string;
  /** Decimal text: least amount on the list of payouts; null: any amount, or that of the first close. */
  readonly minimumPayout: string | null;
  readonly actor: string;
}

/**
 * Closes the first open month and numbers its statements; `isNew` is false when it was closed before. Errors:
 * `invalid_argument`, `failed_precondition` (it cannot be closed now, or the books do not add up), `conflict` (closed with
 * another minimum), `unavailable` (the outcome is unknown: the same request again gives it).
 */
export type CloseMonth = (
  request: CloseMonthRequest,
) => Promise<{ readonly isNew: boolean; readonly month: ClosedMonth }>;

/** What {@link CloseMonth} needs. */
export interface CloseMonthDeps {
  readonly ledger: Pick<Ledger, 'closeMonth' | 'listStatements'>;
  readonly bookUnbooked: BookUnbooked;
  readonly verifyBooks: VerifyBooks;
  readonly transfers: Pick<TransferStore, 'noteClose'>;
}

/** Makes {@link CloseMonth}. Contract: docs/contract/money.md#closed-months. */
export function makeCloseMonth(deps: CloseMonthDeps): CloseMonth {
  const { ledger, bookUnbooked, verifyBooks, transfers } = deps;
  return async ({ month, minimumPayout, actor }) => {
    const days = readMonthOrRefuse(month);
    const minimumNanos = minimumPayout === null ? null : readMinimum(minimumPayout);
    if (!(await isClosed(ledger, days))) {
      await bookUnbooked();
      const { ok, checks } = await verifyBooks({ isWaiting: false, isGivenOnly: false });
      if (!ok) {
        const failed = checks.filter((check) => !check.ok).map(({ name }) => name);
        throw appError(
          'failed_precondition',
          `${month} stays open, because the books do not add up: ${failed.join('; ')}. Verify the ledger.`,
        );
      }
    }
    const closed = await ledger.closeMonth(days, minimumNanos);
    await transfers.noteClose(month, actor, Number(closed.month.closedAtMs));
    return closed;
  };
}

async function isClosed(ledger: Pick<Ledger, 'listStatements'>, days: MonthDays): Promise<boolean> {
  try {
    await ledger.listStatements({ days, afterNumber: 0n, rowsMax: 1, isDueOnly: false });
    return true;
  } catch (error) {
    if (toAppError(error).code === 'not_found') return false;
    throw error;
  }
}

/** Largest minimum: 1,000,000,000 units, like the largest payout. */
const MINIMUM_NANOS_MAX = 1_000_000_000_000_000_000n;

function readMinimum(text: string): bigint {
  const nanos = parseAmount(text);
  if (nanos !== null && nanos >= 0n && nanos <= MINIMUM_NANOS_MAX) return nanos;
  throw appError(
    'invalid_argument',
    `Minimum payout ${text} is not a decimal from 0 to ${formatNanos(MINIMUM_NANOS_MAX)}, such as 100.00.`,
  );
}
