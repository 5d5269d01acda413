import type { AccountId, AppId, CampaignId } from '@placard/service-kit/pure';
import type { AccountKind } from './ledger-entry.js';

/** The account of a statement. */
export interface StatementAccount {
  readonly kind: AccountKind;
  /** For `platform`, `deposits` and `payouts` it is the kind. */
  readonly id: AccountId;
}

/** One booking by hand, or all impressions of one day and campaign or app. */
export interface StatementLine {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly kind: 'deposit' | 'adjustment' | 'payout' | 'refund' | 'impression';
  /** Reference of a booking by hand; null for impressions, as are the next two. */
  readonly reference: string | null;
  /** The account on the other side. */
  readonly counter: StatementAccount | null;
  /** Set for an adjustment. */
  readonly reason: string | null;
  /** Set for impressions of an advertiser. */
  readonly campaignId: CampaignId | null;
  /** Set for impressions of a publisher. */
  readonly appId: AppId | null;
  readonly impressions: bigint;
  /** Above zero: the balance rises. */
  readonly amountNanos: bigint;
}

/** The bookings of an account in a range of days. */
export interface Statement {
  readonly openingNanos: bigint;
  readonly lines: readonly StatementLine[];
  readonly closingNanos: bigint;
  /** The number of the statement in its closed month; null: the days are no closed month. */
  readonly number: bigint | null;
}

/** Whether the lines lead from the opening to the closing balance. */
export function addsUp({
  openingNanos,
  lines,
  closingNanos,
}: Pick<Statement, 'openingNanos' | 'lines' | 'closingNanos'>): boolean {
  return lines.reduce((sum, line) => sum + line.amountNanos, openingNanos) === closingNanos;
}
