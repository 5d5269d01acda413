import {
  dayOf,
  minuteOf,
  MINUTE_MS,
  type AdvertiserId,
  type CampaignId,
  type Nanos,
  type RequestId,
} from '@placard/service-kit/pure';
import type { IndexedCampaign } from './indexed-campaign.js';
import { secondOfDay } from './pacing/day-curve.js';
import { isPaced, type PaceAnchor, type PaceKnowledge } from './pacing/pace.js';
import { paceLimits, type PaceLimits } from './pacing/plan.js';
import { toShowRates } from './pacing/show-rates.js';

/** Candidates that one atomic step looks at, at most. */
export const RESERVE_CANDIDATES_MAX = 8;

/** A campaign-minute is closed by this long after its last fill is over. Rulings: "Selection", reservation. */
export const CLOSED_BY_MS = 150_000;

/** One candidate of an atomic step. A room is the limit less the cost: what may be used before; null: no limit. */
export interface ReserveItem {
  readonly campaignId: CampaignId;
  readonly advertiserId: AdvertiserId;
  readonly costNanos: Nanos;
  readonly totalRoomNanos: Nanos | null;
  readonly dayRoomNanos: Nanos | null;
  readonly balanceRoomNanos: Nanos;
  /** Null: not paced. */
  readonly pace: ItemPace | null;
}

/** The pace of an item, made for an anchor; null anchor: none is known yet, so the step says which one holds. */
export interface ItemPace {
  readonly budgetNanos: Nanos;
  readonly anchor: PaceAnchor | null;
  /** An anchor from before that, epoch ms, holds no longer; null: any may hold. */
  readonly anchorSinceMs: number | null;
  readonly limits: PaceLimits;
}

/** When the fills of an atomic step are made and over, epoch ms. */
export interface FillTime {
  readonly filledAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * What became of one candidate. `reserved`; refused for the total, the day, the advertiser's balance or the pace;
 * `unknown`: a counter is missing; `anchor`: the pace was made for another anchor; `untried`: not reached.
 */
export type ReserveVerdict =
  'reserved' | 'total' | 'day' | 'balance' | 'pace' | 'unknown' | 'anchor' | 'untried';

/** A verdict; with `anchor` comes the anchor that holds. */
export interface ReserveFinding {
  readonly verdict: ReserveVerdict;
  readonly anchor: PaceAnchor | null;
}

/** A fill whose money is reserved. */
export interface ReservedFill {
  readonly requestId: RequestId;
  readonly campaignId: CampaignId;
  readonly advertiserId: AdvertiserId;
  readonly costNanos: Nanos;
  readonly filledAtMs: number;
}

/** A campaign's reservations of one minute. */
export interface CampaignMinute {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  /** Of the fills, since the epoch. */
  readonly minute: number;
  /** When the last of them is over, epoch ms. */
  readonly expiresAtMs: number;
}

/** What a campaign-minute that is not closed holds. */
export interface HeldMinute extends CampaignMinute {
  /** Less what was given back. */
  readonly reservedNanos: Nanos;
  /** Of these, known as shown. */
  readonly shownNanos: Nanos;
  /** Reservations whose fate is not known, as far as they were made since the counters were: a rebuilt minute begins at 0. */
  readonly openCount: number;
  /** Names the life of the counters that it belongs to. */
  readonly generation: string;
}

/** What the item may still use, from the catalog as it is now and what is known for its pace. Rulings: "Selection", budgets. */
export function toReserveItem(entry: IndexedCampaign, nowMs: number, knowledge: PaceKnowledge): ReserveItem {
  const { campaign, advertiser } = entry;
  const { costNanos, budgetTotalNanos, budgetDailyNanos } = campaign;
  return {
    campaignId: campaign.id,
    advertiserId: advertiser.id,
    costNanos,
    totalRoomNanos: budgetTotalNanos === null ? null : budgetTotalNanos - costNanos,
    dayRoomNanos: budgetDailyNanos === null ? null : budgetDailyNanos - costNanos,
    balanceRoomNanos: advertiser.fundedNanos - costNanos,
    pace:
      budgetDailyNanos === null || !isPaced(campaign)
        ? null
        : paceOf(entry, budgetDailyNanos, nowMs, knowledge),
  };
}

function paceOf(
  entry: IndexedCampaign,
  budgetNanos: Nanos,
  nowMs: number,
  { anchor, resumedAtMs, closed, forecast }: PaceKnowledge,
): ItemPace {
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

/** What events-service knows of an advertiser's budgets. All amounts in nano-units. */
export interface BudgetTruth {
  readonly advertiserAcceptedNanos: Nanos;
  readonly openMinutes: readonly OpenMinute[];
  readonly campaigns: readonly CampaignTruth[];
}

/** Fills that are not over: what they reserved, and what of it is accepted already. */
export interface OpenMinute {
  readonly campaignId: CampaignId;
  readonly minute: number;
  readonly reservedNanos: Nanos;
  readonly acceptedNanos: Nanos;
  readonly expiresAtMs: number;
}

/** Accepted spend of a campaign: of its life, and by day of the ad request. */
export interface CampaignTruth {
  readonly campaignId: CampaignId;
  readonly acceptedNanos: Nanos;
  readonly acceptedByDay: ReadonlyMap<number, Nanos>;
}

/** What the counters of an advertiser must hold: spent plus open. */
export interface BudgetSeed {
  readonly advertiserId: AdvertiserId;
  readonly usedNanos: Nanos;
  readonly openMinutes: readonly OpenMinute[];
  readonly campaigns: readonly CampaignSeed[];
}

/** What the counters of a campaign must hold. */
export interface CampaignSeed {
  readonly campaignId: CampaignId;
  readonly usedNanos: Nanos;
  readonly today: DaySeed;
  readonly yesterday: DaySeed;
}

/** What the counters of a campaign's day must hold. */
export interface DaySeed {
  readonly day: number;
  readonly usedNanos: Nanos;
  readonly acceptedNanos: Nanos;
}

/** The counters that follow from the truth. */
export function toSeed(advertiserId: AdvertiserId, truth: BudgetTruth, nowMs: number): BudgetSeed {
  const open = truth.openMinutes;
  const today = currentDay(truth, nowMs);
  return {
    advertiserId,
    usedNanos: truth.advertiserAcceptedNanos + openSum(open),
    openMinutes: open,
    campaigns: truth.campaigns.map((campaign) => {
      const own = open.filter((minute) => minute.campaignId === campaign.campaignId);
      return {
        campaignId: campaign.campaignId,
        usedNanos: campaign.acceptedNanos + openSum(own),
        today: daySeed(campaign, own, today),
        yesterday: daySeed(campaign, own, today - 1),
      };
    }),
  };
}

/** Another replica's clock may have passed midnight already: a day that has begun for it must not begin at zero later. */
function currentDay({ openMinutes, campaigns }: BudgetTruth, nowMs: number): number {
  const tomorrow = dayOf(nowMs) + 1;
  const hasBegun =
    openMinutes.some(({ minute }) => dayOf(minute * MINUTE_MS) === tomorrow) ||
    campaigns.some(({ acceptedByDay }) => acceptedByDay.has(tomorrow));
  return hasBegun ? tomorrow : tomorrow - 1;
}

function daySeed(campaign: CampaignTruth, open: readonly OpenMinute[], day: number): DaySeed {
  const acceptedNanos = campaign.acceptedByDay.get(day) ?? 0n;
  const ofDay = open.filter(({ minute }) => dayOf(minute * MINUTE_MS) === day);
  return { day, usedNanos: acceptedNanos + openSum(ofDay), acceptedNanos };
}

function openSum(minutes: readonly OpenMinute[]): Nanos {
  return minutes.reduce((sum, minute) => sum + minute.reservedNanos - minute.acceptedNanos, 0n);
}

/** The minute of a fill. */
export function fillMinute(fill: Pick<ReservedFill, 'filledAtMs'>): number {
  return minuteOf(fill.filledAtMs);
}
