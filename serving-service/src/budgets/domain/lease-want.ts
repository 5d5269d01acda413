import { dayOf, MINUTE_MS, type AdvertiserId, type CampaignId, type Nanos } from '@placard/service-kit/pure';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { secondOfDay } from '../../pacing/domain/day-curve.js';
import { isPaced, type PaceAnchor, type PaceKnowledge } from '../../pacing/domain/pace.js';
import { paceLimits, type PaceLimits } from '../../pacing/domain/plan.js';
import { toShowRates, type ClosedFills } from '../../pacing/domain/show-rates.js';

/** What a process asks for: so much in sum for a campaign's fills of one minute. Safe to repeat. */
export interface LeaseWant {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  /** Of the fills, since the epoch. */
  readonly minute: number;
  readonly costNanos: Nanos;
  readonly grantedMaxNanos: Nanos;
  /** Null: no limit. */
  readonly totalLimitNanos: Nanos | null;
  readonly dailyLimitNanos: Nanos | null;
  readonly fundedNanos: Nanos;
  /** When the last ad that the minute can hold would be over, epoch ms. */
  readonly expiresAtMs: number;
  /** Null: not paced. */
  readonly pace: WantPace | null;
}

/** The pace of a want, made for an anchor; null anchor: none is known yet. */
export interface WantPace {
  readonly budgetNanos: Nanos;
  readonly anchor: PaceAnchor | null;
  /** An anchor from before that, epoch ms, no longer holds; null: any may hold. */
  readonly anchorSinceMs: number | null;
  readonly limits: PaceLimits;
}

/**
 * The answer of events-service to a want: something was granted; no headroom for one ad in the total budget, the day's or
 * the advertiser's balance; the campaign is ahead of its plan; the plan was made for another anchor; the lease takes no
 * grants any more.
 */
export type LeaseVerdict = 'granted' | 'total' | 'day' | 'balance' | 'pace' | 'anchor' | 'ended';

/** The answer to one want or peek. */
export interface LeaseAnswer {
  readonly verdict: LeaseVerdict;
  /** The sum of all grants of the lease; 0 for peeks. */
  readonly grantedNanos: Nanos;
  /** Less was granted than was asked for. */
  readonly isScarce: boolean;
  /** The anchor that holds; null: not paced. */
  readonly anchor: PaceAnchor | null;
  /** Null: not paced. */
  readonly closed: ClosedFills | null;
}

/** Which minute money is asked for, and how much in sum. */
export interface WantedSum {
  readonly minute: number;
  readonly grantedMaxNanos: Nanos;
}

/** A want, from the catalog as it is now and what is known for the plan, which is looked at within the minute of the fills. */
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
