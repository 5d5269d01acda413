import {
  SELECTION_STEPS,
  type AdFormat,
  type CampaignId,
  type SelectionStep,
} from '@placard/service-kit/pure';
import type { OffSwitch } from '../../ads/domain/checks.js';
import type { BudgetsLeft } from '../../budgets/domain/lease-want.js';
import type { SkipReason } from '../../budgets/domain/skip-reason.js';
import { campaignUnit, isCapped, type CapCounts } from '../../caps/domain/caps.js';
import { fitsScreen, type Screen } from '../../selection/domain/creative-choice.js';
import type { TargetingQuery } from '../../selection/domain/index-block.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { isInSchedule } from '../../selection/domain/select.js';

/** A switch that ends a request at the step `app`. */
export type EndingSwitch = OffSwitch | 'unapproved_app';

/** The facts of one ad request that decide where a campaign lost it. */
export interface ExplainedFacts {
  /** Instant of the request, epoch ms. */
  readonly atMs: number;
  readonly format: AdFormat;
  readonly query: TargetingQuery;
  readonly screen: Screen;
  /** What ended the request before any campaign was chosen: a cap or a switch. Null: selection chose among the campaigns. */
  readonly endedAt: 'cap' | EndingSwitch | null;
  /** Counts of the session. Those of the winner have the fill of this request. */
  readonly counts: CapCounts;
  /** False: the counts could not be read, and none is there. */
  readonly areCountsKnown: boolean;
  /** Null: a no-fill. */
  readonly winner: CampaignId | null;
  /** The reason for which a campaign currently gets no money. Null: none is known. */
  readonly skipReason: (entry: IndexedCampaign) => SkipReason | null;
  /** What is left of the budgets of a campaign, as far as it is known. */
  readonly leftOf: (entry: IndexedCampaign) => BudgetsLeft;
}

type IsLost = (entry: IndexedCampaign, facts: ExplainedFacts) => boolean;
type CheckedStep = Exclude<SelectionStep, 'balance' | 'budget_total' | 'budget_daily' | 'pacing' | 'outbid'>;

/** The condition for a loss at each step before money. Contract: docs/contract/explanations.md#steps. */
const IS_LOST: Readonly<Record<CheckedStep, IsLost>> = {
  status: ({ campaign }) => campaign.status !== 'active',
  schedule: (entry, { atMs }) => !isInSchedule(entry, atMs),
  approval: ({ advertiser }) => !advertiser.isApproved,
  creative: ({ creatives }) => creatives.length === 0,
  format: (entry, facts) => !hasFittingCreative(entry, facts),
  app: ({ campaign }, { query, endedAt }) =>
    (endedAt !== null && endedAt !== 'cap') || isOutside(campaign.appIds, query.appIds),
  category: ({ campaign }, { query }) => isOutside(campaign.appCategories, query.appCategories),
  country: ({ campaign }, { query }) => isOutside(campaign.countries, query.countries),
  language: ({ campaign }, { query }) => isOutside(campaign.languages, query.languages),
  android_version: ({ campaign }, { query }) => isOutside(campaign.androidVersions, query.androidVersions),
  cap: ({ campaign }, { counts, endedAt }) => {
    if (endedAt === 'cap') return true;
    return (
      campaign.frequencyCap !== null && isCapped(counts, campaignUnit(campaign.id), campaign.frequencyCap)
    );
  },
};

/** The checks in the order of {@link SELECTION_STEPS}. */
const CHECKS = SELECTION_STEPS.flatMap((step) =>
  step in IS_LOST ? [{ step, isLost: IS_LOST[step as CheckedStep] }] : [],
);

/** The first step that the campaign fails, other than `outbid`. Null: it passes all of them. */
export function firstLoss(entry: IndexedCampaign, facts: ExplainedFacts): SelectionStep | null {
  for (const { step, isLost } of CHECKS) if (isLost(entry, facts)) return step;
  return moneyLoss(entry, facts);
}

/**
 * The step at which the campaign lost the request. Null: it won. A campaign that passes all other steps lost at `outbid`
 * to a winner of the same or a higher rank. Otherwise its money was not there in time, which is `balance`.
 */
export function lostStep(
  entry: IndexedCampaign,
  facts: ExplainedFacts,
  winnerRank: number | null,
): SelectionStep | null {
  if (entry.campaign.id === facts.winner) return null;
  const isOutbid = winnerRank !== null && entry.rank <= winnerRank;
  return firstLoss(entry, facts) ?? (isOutbid ? 'outbid' : 'balance');
}

/** The budget that has no money for one ad. Null: none is known. */
function moneyLoss(entry: IndexedCampaign, { skipReason }: ExplainedFacts): SelectionStep | null {
  const { costNanos, budgetTotalNanos, budgetDailyNanos } = entry.campaign;
  if (entry.advertiser.fundedNanos < costNanos) return 'balance';
  if (budgetTotalNanos !== null && budgetTotalNanos < costNanos) return 'budget_total';
  if (budgetDailyNanos !== null && budgetDailyNanos < costNanos) return 'budget_daily';
  const reason = skipReason(entry);
  return reason === null ? null : STEP_OF[reason];
}

/** `unknown`: the money could not be asked for. */
const STEP_OF: Readonly<Record<SkipReason, SelectionStep>> = {
  total: 'budget_total',
  day: 'budget_daily',
  balance: 'balance',
  pace: 'pacing',
  unknown: 'balance',
};

function hasFittingCreative({ creatives }: IndexedCampaign, { format, screen }: ExplainedFacts): boolean {
  return creatives.some(
    (creative) => creative.format === format && (format !== 'banner' || fitsScreen(creative, screen)),
  );
}

/** Whether a list is not empty and lacks the value. Null is in no list. */
function isOutside(list: readonly (string | number)[], value: string | null): boolean {
  return list.length > 0 && !list.some((one) => String(one) === value);
}
