import type { AccountKind } from '../../ledger/domain/ledger-entry.js';

/** One identity of the books. */
export interface LedgerCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was compared; when it does not hold, the rows that break it. */
  readonly detail: string;
}

/** What console-service has booked for an account: deposits and adjustments together. */
export interface AccountFunds {
  readonly kind: Extract<AccountKind, 'advertiser' | 'publisher'>;
  readonly id: string;
  readonly nanos: bigint;
}

/** One identity, looked at in the rows of one piece. */
export interface RowCheck {
  readonly name: string;
  readonly faultCount: bigint;
  /** The first faults in words. */
  readonly faults: readonly string[];
  /** How many rows were looked at. */
  readonly rows: bigint;
}

/** A piece of the check from the rows: a UTC day, or a part of a large one. */
export interface RowsPiece {
  readonly checks: readonly RowCheck[];
  /** What to ask for next; null: this was the last piece. */
  readonly next: string | null;
  /** `YYYY-MM-DD`; null: there is none. */
  readonly day: string | null;
  /** Days behind this one. */
  readonly daysLeft: number;
}
