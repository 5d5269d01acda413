import type { AccountId, AppId, CampaignId } from '@placard/service-kit/pure';
import type { AccountKind } from './ledger-entry.js';

/** The account of a statement. */
export interface StatementAccount {
  readonly kind: AccountKind;
  /** For `platform` and `deposits` it is the kind. */
  readonly id: AccountId;
}

/** One deposit, one adjustment, or all impressions of one day and campaign or app. */
export interface StatementLine {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly kind: 'deposit' | 'adjustment' | 'impression';
  /** Reference of a deposit or an adjustment; null for impressions, as are the next two. */
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
}

/** Whether the lines lead from the opening to the closing balance. */
export function addsUp({ openingNanos, lines, closingNanos }: Statement): boolean {
  return lines.reduce((sum, line) => sum + line.amountNanos, openingNanos) === closingNanos;
}
