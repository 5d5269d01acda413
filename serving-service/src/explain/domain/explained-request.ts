import {
  SELECTION_STEPS,
  toIso,
  type AdFormat,
  type AppId,
  type CampaignId,
  type FrequencyCap,
  type Nanos,
  type PlacementCode,
  type RequestId,
  type SelectionStep,
} from '@placard/service-kit/pure';
import type { BudgetsLeft } from '../../budgets/domain/lease-want.js';
import { campaignUnit } from '../../caps/domain/caps.js';
import { formatsOf, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { lostStep, type EndingSwitch, type ExplainedFacts } from './first-loss.js';

/** Most candidates of one explanation. */
export const CANDIDATES_MAX = 50;

/** A campaign in the explanation of one request, as it was then. */
export interface ExplainedCandidate {
  readonly campaignId: CampaignId;
  /** Null: it won. */
  readonly lostAt: SelectionStep | null;
  /** Value of the request and of the campaign, in words. */
  readonly why: string;
  /** Price of one impression. */
  readonly costNanos: Nanos;
  /** Limits; null: no limit. */
  readonly budgetTotalNanos: Nanos | null;
  readonly budgetDailyNanos: Nanos | null;
  /** What is left of them; null: unknown, or no limit. */
  readonly left: BudgetsLeft;
  /** Null: no cap. */
  readonly cap: FrequencyCap | null;
  /** Fills of the session that count for the cap; null: unknown, or no cap. */
  readonly capUsed: number | null;
}

/** One ad request with the reason for which each campaign lost it. It has no address and no session. */
export interface ExplainedRequest {
  /** Null: a request that was only asked. */
  readonly requestId: RequestId | null;
  /** Epoch ms. */
  readonly atMs: number;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** `fill`, a no-fill reason, or the error of a request that does not reach the placement. */
  readonly result: string;
  readonly winner: CampaignId | null;
  /** The winner first, then those that came furthest, highest bid first; at most {@link CANDIDATES_MAX}. */
  readonly candidates: readonly ExplainedCandidate[];
  /** The number of campaigns that were looked at. */
  readonly candidateCount: number;
}

/** A campaign with its first lost step. */
export interface Judged {
  readonly entry: IndexedCampaign;
  readonly lostAt: SelectionStep | null;
}

/** The candidates that an explanation names. */
export function toCandidates(judged: readonly Judged[], facts: ExplainedFacts): ExplainedCandidate[] {
  return furthest(judged).map(({ entry, lostAt }) => ({
    campaignId: entry.campaign.id,
    lostAt,
    why: whyLost(entry, facts, lostAt),
    costNanos: entry.campaign.costNanos,
    budgetTotalNanos: entry.campaign.budgetTotalNanos,
    budgetDailyNanos: entry.campaign.budgetDailyNanos,
    left: leftOf(entry, facts),
    cap: entry.campaign.frequencyCap,
    capUsed: capUsed(entry, facts),
  }));
}

function leftOf(entry: IndexedCampaign, facts: ExplainedFacts): BudgetsLeft {
  const { totalNanos, dailyNanos } = facts.leftOf(entry);
  // A limit may be below what is spent.
  const atLeastNone = (nanos: Nanos | null): Nanos | null => (nanos !== null && nanos < 0n ? 0n : nanos);
  return { totalNanos: atLeastNone(totalNanos), dailyNanos: atLeastNone(dailyNanos) };
}

function capUsed({ campaign }: IndexedCampaign, { counts, areCountsKnown }: ExplainedFacts): number | null {
  if (campaign.frequencyCap === null || !areCountsKnown) return null;
  return counts.get(campaignUnit(campaign.id)) ?? 0;
}

/** The winner, then those that came furthest, then the higher bids. Only the groups that are named are sorted. */
function furthest(judged: readonly Judged[]): readonly Judged[] {
  const groups = new Map<SelectionStep | null, Judged[]>();
  for (const one of judged) {
    const group = groups.get(one.lostAt);
    if (group === undefined) groups.set(one.lostAt, [one]);
    else group.push(one);
  }
  const named: Judged[] = [];
  for (const step of [null, ...SELECTION_STEPS.toReversed()]) {
    const group = groups.get(step) ?? [];
    named.push(...group.sort((a, b) => b.entry.rank - a.entry.rank));
    if (named.length >= CANDIDATES_MAX) break;
  }
  return named.slice(0, CANDIDATES_MAX);
}

/** Judges campaigns. `winnerRank` is the rank of the winner, null for a no-fill. */
export function judge(
  entries: readonly IndexedCampaign[],
  facts: ExplainedFacts,
  winnerRank: number | null,
): Judged[] {
  return entries.map((entry) => ({ entry, lostAt: lostStep(entry, facts, winnerRank) }));
}

/** Why a campaign lost at a step: the value of the request beside that of the campaign. It names no amount. */
function whyLost(entry: IndexedCampaign, facts: ExplainedFacts, lostAt: SelectionStep | null): string {
  return lostAt === null ? 'It won.' : WHY[lostAt](entry, facts);
}

type Why = (entry: IndexedCampaign, facts: ExplainedFacts) => string;

const WHY_ENDED: Readonly<Record<EndingSwitch, string>> = {
  forced: 'The request forced a no-fill.',
  global: 'The global switch serving_enabled is off.',
  publisher: 'The switch serving_enabled of the publisher is off.',
  app: 'The switch serving_enabled of the app is off.',
  blocked_app: 'The app is blocked.',
  unapproved_app: 'The app is not approved.',
  unapproved_publisher: 'The publisher is not approved.',
  paused_placement: 'The placement is paused.',
  placement: 'The switch enabled of the placement is off.',
  placement_by_admin: 'The placement is disabled by an admin.',
};

const WHY: Readonly<Record<SelectionStep, Why>> = {
  status: ({ campaign }) => `The campaign is ${campaign.status}.`,
  schedule: ({ campaign: { startsAtMs, endsAtMs } }, { atMs }) =>
    startsAtMs !== null && atMs < startsAtMs
      ? `It starts at ${toIso(startsAtMs)}.`
      : `It ended at ${endsAtMs === null ? 'no instant' : toIso(endsAtMs)}.`,
  approval: ({ advertiser }) => `The advertiser ${advertiser.id} is not approved.`,
  creative: () => 'No creative in a format of the campaign is approved.',
  format: (entry, { format }) =>
    formatsOf(entry).includes(format)
      ? 'No approved banner fits the screen.'
      : `No approved creative has the format ${format}; it has ${listed(formatsOf(entry))}.`,
  app: ({ campaign }, { query, endedAt }) =>
    endedAt === null || endedAt === 'cap' ? lacks('app', campaign.appIds, query.appIds) : WHY_ENDED[endedAt],
  category: ({ campaign }, { query }) => lacks('category', campaign.appCategories, query.appCategories),
  country: ({ campaign }, { query }) => lacks('country', campaign.countries, query.countries),
  language: ({ campaign }, { query }) => lacks('language', campaign.languages, query.languages),
  android_version: ({ campaign }, { query }) =>
    lacks('Android version', campaign.androidVersions, query.androidVersions),
  cap: ({ campaign: { id, frequencyCap } }, { counts, endedAt }) =>
    endedAt === 'cap' || frequencyCap === null
      ? 'A cap of the placement or of the session ended the request.'
      : `The session has ${counts.get(campaignUnit(id)) ?? 0} of ${frequencyCap.count} fills per ${frequencyCap.period}.`,
  balance: (entry, { skipReason }) =>
    entry.advertiser.fundedNanos < entry.campaign.costNanos || skipReason(entry) === 'balance'
      ? `The balance of ${entry.advertiser.id} has no money for one ad.`
      : 'No money could be reserved in time.',
  budget_total: () => 'The total budget has no money for one ad.',
  budget_daily: () => 'The daily budget has no money for one ad.',
  pacing: () => 'The daily budget is ahead of its plan.',
  outbid: (_, { winner }) => `${winner ?? 'Another campaign'} won with a higher or equal bid.`,
};

function lacks(name: string, list: readonly (string | number)[], value: string | null): string {
  return `The ${name} is ${value ?? 'unknown'}; the campaign wants ${listed(list)}.`;
}

const LISTED_MAX = 10;

function listed(list: readonly (string | number)[]): string {
  if (list.length === 0) return 'none';
  const more = list.length - LISTED_MAX;
  return list.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
