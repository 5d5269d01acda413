import {
  dayOf,
  MINUTE_MS,
  type AdvertiserId,
  type CampaignId,
  type Nanos,
  secondOfDay,
  isPaced,
  type PaceAnchor,
  type PaceKnowledge,
  paceLimits,
  type PaceLimits,
  toShowRates,
  type ClosedFills,
} from '@placard/service-kit/pure';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';

/** A want: the sum of money for a campaign's fills of one minute. Safe to repeat. */
export interface LeaseWant {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  /** The minute of the fills, since the epoch. */
  readonly minute: number;
  readonly costNanos: Nanos;
  readonly grantedMaxNanos: Nanos;
  /** Null: no limit. */
  readonly totalLimitNanos: Nanos | null;
  readonly dailyLimitNanos: Nanos | null;
  readonly fundedNanos: Nanos;
  /** Expiry of the last ad of the minute, epoch ms. */
  readonly expiresAtMs: number;
  /** Null: not paced. */
  readonly pace: WantPace | null;
}

/** The pace of a want, made for an anchor. Anchor null: none is known yet. */
export interface WantPace {
  readonly budgetNanos: Nanos;
  readonly anchor: PaceAnchor | null;
  /** An earlier anchor than this instant (epoch ms) is not valid. Null: every anchor is valid. */
  readonly anchorSinceMs: number | null;
  readonly limits: PaceLimits;
}

/**
 * The answer of events-service to a want. `granted`: it granted something. `total`, `day`, `balance`: the total budget,
 * the daily budget or the advertiser's balance has no headroom for one ad. `pace`: the campaign is ahead of its plan.
 * `anchor`: the plan was made for another anchor. `ended`: the lease takes no more grants.
 */
export type LeaseVerdict = 'granted' | 'total' | 'day' | 'balance' | 'pace' | 'anchor' | 'ended';

/** The answer to one want or peek. */
export interface LeaseAnswer {
  readonly verdict: LeaseVerdict;
  /** The sum of all grants of the lease; 0 for peeks. */
  readonly grantedNanos: Nanos;
  /** True: the grant is smaller than the want. */
  readonly isScarce: boolean;
  /** The valid anchor. Null: the campaign is not paced. */
  readonly anchor: PaceAnchor | null;
  /** Null: the campaign is not paced. */
  readonly closed: ClosedFills | null;
  readonly left: BudgetsLeft;
}

/** What is left of a campaign's budgets: neither accepted nor held by leases. Null: no limit, or unknown. */
export interface BudgetsLeft {
  readonly totalNanos: Nanos | null;
  readonly dailyNanos: Nanos | null;
}

/** The minute of a want, and its sum. */
export interface WantedSum {
  readonly minute: number;
  readonly grantedMaxNanos: Nanos;
}

/**
 * Makes a want from the current catalog and the known facts of the plan. The plan is evaluated within the minute of the
 * fills.
 */
export function toLeaseWant(
  entry: IndexedCampaign,
  { minute, grantedMaxNanos }: WantedSum,
  facts: { readonly nowMs: number; readonly adTtlMs: number; readonly knowledge: PaceKnowledge },
): LeaseWant {
  const { campaign, advertiser } = entry;
  const { budgetDailyNanos } = campaign;
  const startMs = minute * MINUTE_MS;
  const atMs = Math.min(Math.max(facts.nowMs, startMs), startMs + MINUTE_MS - 1);
  return {
    campaignId: campaign.id,
    advertiserId: advertiser.id,
    minute,
    grantedMaxNanos,
    costNanos: campaign.costNanos,
    totalLimitNanos: campaign.budgetTotalNanos,
    dailyLimitNanos: budgetDailyNanos,
    fundedNanos: advertiser.fundedNanos,
    expiresAtMs: startMs + MINUTE_MS + facts.adTtlMs,
    pace:
      budgetDailyNanos === null || !isPaced(campaign)
        ? null
        : paceOf(entry, budgetDailyNanos, atMs, facts.knowledge),
  };
}

function paceOf(
  entry: IndexedCampaign,
  budgetNanos: Nanos,
  nowMs: number,
  { anchor, resumedAtMs, closed, forecast }: PaceKnowledge,
): WantPace {
  const isCurrent =
    anchor !== null &&
    anchor.budgetNanos === budgetNanos &&
    dayOf(anchor.atMs) === dayOf(nowMs) &&
    (resumedAtMs === null || anchor.atMs >= resumedAtMs);
  const start = isCurrent ? anchor : null;
  const day = {
    budgetNanos: Number(budgetNanos),
    costNanos: entry.rank,
    anchor: { second: secondOfDay(start?.atMs ?? nowMs), spentNanos: Number(start?.spentNanos ?? 0n) },
    rates: toShowRates(closed, entry.rank),
    forecast,
  };
  const limits = paceLimits(day, secondOfDay(nowMs));
  return { budgetNanos, anchor: start, anchorSinceMs: resumedAtMs, limits };
}
