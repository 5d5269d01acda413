import type { CampaignId, AppId } from '@placard/service-kit/pure';
import type { AccountKind } from './ledger-entry.js';

/** Whose statement. */
export interface StatementAccount {
  readonly kind: AccountKind;
  /** Of the platform and of the deposits: their kind. */
  readonly id: string;
}

/** A line: a deposit or an adjustment, or all impressions of one day and campaign or app. */
export interface StatementLine {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly kind: 'deposit' | 'adjustment' | 'impression';
  /** Of a deposit or an adjustment; null for impressions, as are the next two. */
  readonly reference: string | null;
  /** The account on the other side. */
  readonly counter: StatementAccount | null;
  /** Of an adjustment. */
  readonly reason: string | null;
  /** Of an advertiser's impressions. */
  readonly campaignId: CampaignId | null;
  /** Of a publisher's impressions. */
  readonly appId: AppId | null;
  readonly impressions: bigint;
  /** Above zero: the account has more. */
  readonly amountNanos: bigint;
}

/** What happened on an account in a range of days. */
export interface Statement {
  readonly openingNanos: bigint;
  readonly lines: readonly StatementLine[];
  readonly closingNanos: bigint;
}

/** Whether the lines lead from the opening to the closing balance. */
export function addsUp({ openingNanos, lines, closingNanos }: Statement): boolean {
  return lines.reduce((sum, line) => sum + line.amountNanos, openingNanos) === closingNanos;
}
