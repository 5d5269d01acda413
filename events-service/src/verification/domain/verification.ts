import type { OwnerId } from '@placard/service-kit/pure';
import type { AccountKind } from '../../ledger/domain/ledger-entry.js';

/** One identity of the books. */
export interface LedgerCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The compared figures, or the rows that break the identity. */
  readonly detail: string;
}

/** What console-service has booked for an account in sum. */
export interface AccountSum {
  readonly kind: Extract<AccountKind, 'advertiser' | 'publisher'>;
  readonly id: OwnerId;
  readonly nanos: bigint;
}

/** The money that console-service has booked. */
export interface GivenMoney {
  /** Deposits and adjustments in sum. */
  readonly funds: readonly AccountSum[];
  /** Payouts of publishers and refunds of advertisers; null: a release without them asks. */
  readonly transfers: readonly AccountSum[] | null;
}

/** The result of one identity for the rows of one piece. */
export interface RowCheck {
  readonly name: string;
  readonly faultCount: bigint;
  /** Descriptions of the first faults. */
  readonly faults: readonly string[];
  /** Number of checked rows. */
  readonly rows: bigint;
}

/** A piece of the check from the rows: a UTC day, or a part of a large one. */
export interface RowsPiece {
  readonly checks: readonly RowCheck[];
  /** The `after` of the next call; null: this was the last piece. */
  readonly next: string | null;
  /** `YYYY-MM-DD`; null: there is none. */
  readonly day: string | null;
  /** Days after this one. */
  readonly daysLeft: number;
}
