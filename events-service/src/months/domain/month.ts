import { DAY_MS, dayOf, dayToIso, type Nanos } from '@placard/service-kit/pure';
import type { StatementAccount } from '../../ledger/domain/statement.js';

/** A UTC month as half-open UTC days since 1970. */
export interface Month {
  readonly fromDay: number;
  readonly toDay: number;
}

/** The month that begins on a UTC day (since 1970); null when no month begins on it. */
export function monthFrom(firstDay: number): Month | null {
  if (!(Number.isSafeInteger(firstDay) && firstDay >= 0)) return null;
  const month = monthOf(firstDay);
  return month.fromDay === firstDay ? month : null;
}

/** The month of a UTC day (since 1970). */
export function monthOf(day: number): Month {
  const at = new Date(day * DAY_MS);
  return {
    fromDay: dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
    toDay: dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)),
  };
}

/** `YYYY-MM`. */
export function monthText({ fromDay }: Pick<Month, 'fromDay'>): string {
  return dayToIso(fromDay).slice(0, 7);
}

/** A month that takes no bookings any more. */
export interface ClosedMonth {
  /** UTC day since 1970. */
  readonly fromDay: number;
  /** Epoch ms. */
  readonly closedAtMs: number;
  /** A publisher is on the list of payouts from this amount on. */
  readonly minimumPayoutNanos: Nanos;
  /** Numbers of its statements, without a gap; null: no account had entries. */
  readonly numbers: { readonly first: bigint; readonly last: bigint } | null;
}

/** The figures of a statement of a closed month. Sums have the sign of their effect on the balance. */
export interface MonthStatement {
  readonly number: bigint;
  readonly account: StatementAccount;
  readonly openingNanos: Nanos;
  readonly impressionsNanos: Nanos;
  readonly depositsNanos: Nanos;
  readonly adjustmentsNanos: Nanos;
  readonly payoutsNanos: Nanos;
  readonly refundsNanos: Nanos;
  readonly closingNanos: Nanos;
  /** What could be paid to a publisher when the month was closed, at least 0; null for other kinds. */
  readonly dueNanos: Nanos | null;
  /** What is due less the payouts booked since the close, at least 0; null for other kinds. */
  readonly openNanos: Nanos | null;
}

/** What the books say about a month that is to be closed. */
export interface MonthState {
  /** The close of this month; null: it is open. */
  readonly closed: ClosedMonth | null;
  /** The first open UTC day (since 1970); null: no month is closed. */
  readonly firstOpenDay: number | null;
  /** The UTC day (since 1970) of the first booking; null: there is none. */
  readonly firstBookedDay: number | null;
  /** Accepted events that arrived before the end of the month and wait for settlement, counted up to a bound. */
  readonly waiting: number;
}

/** Why a month cannot be closed now; null: it can. `nowMs`: epoch ms. */
export function openReason(month: Month, state: MonthState, nowMs: number): string | null {
  const name = monthText(month);
  if (month.toDay > dayOf(nowMs)) return `${name} is not over.`;
  const due = state.firstOpenDay ?? state.firstBookedDay;
  if (due === null) return 'The books are empty: there is nothing to close.';
  const next = monthOf(due);
  if (month.fromDay > next.fromDay)
    return `${monthText(next)} is open: close it first. Months are closed in their order.`;
  if (month.fromDay < next.fromDay) {
    const first = monthOf(state.firstBookedDay ?? due);
    return `The books begin in ${monthText(first)}: ${name} has nothing to close.`;
  }
  if (state.waiting > 0) {
    const events = state.waiting === 1 ? '1 accepted event' : `${state.waiting} accepted events`;
    return `${events} of ${name} or before it wait for settlement: close it when they are settled.`;
  }
  return null;
}
