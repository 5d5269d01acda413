import { PACED_IMPRESSIONS_MIN } from '@placard/service-kit/pure';
import type { Fields } from '../catalog-object.js';
import { amountNanos } from '../decimal.js';
import type { FieldValue } from '../field-types.js';
import type { Reason } from './reason.js';

/** A bid is the price of this many impressions. */
const IMPRESSIONS_PER_BID = 1_000n;

/** What is known beside a campaign's own fields. */
export interface CampaignFacts {
  readonly creatives: readonly Fields[];
  /** Whether an app is in the catalog; null when that is not known. */
  readonly isApp: ((id: string) => boolean) | null;
  /** Epoch ms. */
  readonly nowMs: number;
}

/** Why a campaign can never deliver, or not as written. An ended campaign needs no warning. */
export function campaignWarnings(campaign: Fields, facts: CampaignFacts): Reason[] {
  if (campaign['status'] === 'ended') return [];
  return [
    ...scheduleWarnings(campaign, facts.nowMs),
    ...budgetWarnings(campaign),
    ...appWarnings(campaign, facts.isApp),
    ...capWarnings(campaign),
    ...creativeWarnings(campaign, facts.creatives),
  ];
}

/**
 * A cap of `day` is a cap per session, because no session lives longer than a day.
 * Contract: docs/contract/selection.md#cap-periods.
 */
export function capWarnings({ frequency_cap: cap }: Fields): Reason[] {
  if (cap === null || typeof cap !== 'object' || !('period' in cap) || cap.period !== 'day') return [];
  return [
    ['frequency_cap.period', 'is day, and no session lives longer than a day: the cap counts per session'],
  ];
}

function scheduleWarnings({ ends_at: endsAt }: Fields, nowMs: number): Reason[] {
  if (typeof endsAt !== 'string' || Date.parse(endsAt) > nowMs) return [];
  return [['ends_at', `${endsAt} is in the past, so the campaign never delivers`]];
}

function budgetWarnings(campaign: Fields): Reason[] {
  const { bid_cpm: bid, budget_total: total, budget_daily: daily, pacing } = campaign;
  if (typeof bid !== 'string') return [];
  const bidNanos = amountNanos(bid);
  const impressionsOf = (budget: string): bigint => (amountNanos(budget) * IMPRESSIONS_PER_BID) / bidNanos;
  const tooSmall = (budget: string): string =>
    `${budget} pays for no impression at bid_cpm ${bid}, so the campaign never delivers`;
  const reasons: Reason[] = [];
  if (typeof total === 'string' && impressionsOf(total) === 0n)
    reasons.push(['budget_total', tooSmall(total)]);
  if (typeof daily !== 'string') return reasons;
  const perDay = impressionsOf(daily);
  if (perDay === 0n) reasons.push(['budget_daily', tooSmall(daily)]);
  else if (pacing === 'even' && perDay < BigInt(PACED_IMPRESSIONS_MIN)) {
    reasons.push([
      'budget_daily',
      `${daily} pays for ${perDay} impressions; below ${PACED_IMPRESSIONS_MIN} it is not spread over the day`,
    ]);
  }
  return reasons;
}

function appWarnings(campaign: Fields, isApp: CampaignFacts['isApp']): Reason[] {
  const ids = textsOf(campaign['targeting.app_ids']);
  if (isApp === null) return [];
  return ids
    .filter((id) => !isApp(id))
    .map((id) => ['targeting.app_ids', `${id} is not in the catalog, so no request matches it`]);
}

function creativeWarnings(campaign: Fields, creatives: readonly Fields[]): Reason[] {
  if (creatives.length === 0) return [['creatives', 'has none, so the campaign never delivers']];
  const approved = creatives.filter((creative) => creative['approved'] === true);
  if (approved.length === 0)
    return [['creatives', 'has none that is approved, so the campaign does not deliver']];
  const formats = new Set(approved.map((creative) => creative['format']));
  return textsOf(campaign['targeting.formats'])
    .filter((format) => !formats.has(format))
    .map((format) => ['targeting.formats', `has ${format}, and no approved creative has that format`]);
}

function textsOf(value: FieldValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
