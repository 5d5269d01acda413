import { DAY_MS, type Advertiser, type Campaign, type CatalogReader } from '@placard/service-kit/pure';
import { NO_FIGURES, type Concern, type ConcernReason } from './concern.js';
import { noSpend, NO_COUNTS, type CampaignSpend, type DayCounts, type DeliveryFacts } from './delivery.js';
import { projectDay, type ProjectedDay } from './project-day.js';
import { isRarelyShown } from './judge-shows.js';

/** A day that ends with less of its budget is behind. */
const PROJECTED_MIN = 0.9;
/** A total budget or a balance that ends sooner is a concern. */
const DAYS_LEFT_MIN = 3;

/** What the judgements of one campaign read. */
interface CampaignFacts {
  readonly campaign: Campaign;
  /** Since when it may deliver without a break, epoch ms; 0: always. */
  readonly liveSinceMs: number;
  /** Undefined: the catalog has no such advertiser. */
  readonly advertiser: Advertiser | undefined;
  readonly spend: CampaignSpend;
  readonly counts: DayCounts;
  readonly balanceNanos: bigint;
  readonly isCreativeApproved: boolean;
}

/** The concerns about campaigns that are meant to deliver now, and about their advertisers. */
export function judgeCampaigns(catalog: CatalogReader, facts: DeliveryFacts): readonly Concern[] {
  const concerns: Concern[] = [];
  const balances = balancesOf(catalog, facts);
  const advertisers = new Map<Advertiser['id'], Campaign>();
  for (const campaign of catalog.campaigns()) {
    if (!isLive(campaign, facts.nowMs)) continue;
    const advertiser = catalog.advertiser(campaign.advertiserId);
    const cheapest = advertisers.get(campaign.advertiserId);
    if (cheapest === undefined || campaign.costNanos < cheapest.costNanos)
      advertisers.set(campaign.advertiserId, campaign);
    const about: CampaignFacts = {
      campaign,
      liveSinceMs: Math.max(campaign.startsAtMs ?? 0, facts.activeSince.get(campaign.id) ?? 0),
      advertiser,
      spend: facts.spend.get(campaign.id) ?? noSpend(campaign.advertiserId, campaign.id),
      counts: facts.campaigns.get(campaign.id) ?? NO_COUNTS,
      balanceNanos: balances.get(campaign.advertiserId) ?? 0n,
      isCreativeApproved: catalog.creativesOf(campaign.id).some(({ isApproved }) => isApproved),
    };
    concerns.push(...judgeCampaign(catalog, about, facts));
  }
  for (const [id, cheapest] of advertisers) {
    const counts = facts.advertisers.get(id) ?? NO_COUNTS;
    concerns.push(
      ...judgeAdvertiser(catalog.advertiser(id), balances.get(id) ?? 0n, counts, cheapest.costNanos),
    );
  }
  return concerns;
}

/** Whether a campaign is meant to deliver at an instant. */
export function isLive({ status, startsAtMs, endsAtMs }: Campaign, nowMs: number): boolean {
  return status === 'active' && (startsAtMs ?? 0) <= nowMs && (endsAtMs === null || nowMs < endsAtMs);
}

function judgeCampaign(
  catalog: CatalogReader,
  about: CampaignFacts,
  facts: DeliveryFacts,
): readonly Concern[] {
  const { campaign, counts } = about;
  const subject = { subjectKind: 'campaign', subjectId: campaign.id } as const;
  const concerns: Concern[] = [];
  if (!about.isCreativeApproved) {
    concerns.push({ kind: 'not_approved', ...subject, reason: 'creative', figures: NO_FIGURES });
  }
  if (isRarelyShown(counts)) {
    const { fills, impressions } = counts;
    const figures = { ...NO_FIGURES, fills, impressions };
    concerns.push({ kind: 'not_shown', ...subject, reason: null, figures });
  }
  const ending = endingBudget(about, facts.nowMs);
  if (ending !== null) concerns.push({ kind: 'budget_ending', ...subject, reason: null, figures: ending });
  const behind = behindDay(catalog, about, facts);
  if (behind !== null) {
    const figures = { ...NO_FIGURES, ...behind, fills: counts.fills, impressions: counts.impressions };
    concerns.push({ kind: 'behind', ...subject, reason: reasonOf(about), figures });
  }
  return concerns;
}

/** The figures of a day that is behind; null when it is not. */
function behindDay(
  catalog: CatalogReader,
  about: CampaignFacts,
  { curves, nowMs }: DeliveryFacts,
): Partial<ProjectedDay> | null {
  const { campaign, liveSinceMs, spend } = about;
  if (campaign.budgetDailyNanos === null) return isIdle(about, nowMs) ? {} : null;
  const formats = [...new Set(catalog.creativesOf(campaign.id).map(({ format }) => format))];
  const reach = { formats, categories: campaign.appCategories };
  const day = projectDay({ campaign, liveSinceMs, spend, reach, curves, nowMs });
  if (day === null) return null;
  // What the total budget leaves may be less than one impression. That is its end, and not a delay.
  if (day.budgetNanos < campaign.costNanos) return null;
  return Number(day.projectedNanos) < PROJECTED_MIN * Number(day.budgetNanos) ? day : null;
}

/** Without a daily budget there is no plan. Such a campaign is behind when it had no fill for a day. */
function isIdle({ liveSinceMs, counts }: CampaignFacts, nowMs: number): boolean {
  return counts.fills === 0 && nowMs - liveSinceMs >= DAY_MS;
}

/** The first thing that stops the campaign, in the order of selection. */
function reasonOf({
  campaign,
  advertiser,
  spend,
  counts,
  balanceNanos,
  isCreativeApproved,
}: CampaignFacts): ConcernReason {
  if (advertiser?.isApproved !== true) return 'approval';
  if (!isCreativeApproved) return 'creative';
  if (balanceNanos < campaign.costNanos) return 'balance';
  if (leftOf(campaign, spend) < campaign.costNanos) return 'budget_total';
  return isRarelyShown(counts) ? 'not_shown' : 'reach';
}

/** What is left of the total budget; a campaign without one has no end. */
function leftOf({ budgetTotalNanos, costNanos }: Campaign, { spentNanos, openNanos }: CampaignSpend): bigint {
  return budgetTotalNanos === null ? costNanos : budgetTotalNanos - spentNanos - openNanos;
}

function endingBudget({ campaign, spend, counts }: CampaignFacts, nowMs: number) {
  if (campaign.budgetTotalNanos === null) return null;
  const leftNanos = campaign.budgetTotalNanos - spend.spentNanos;
  const daysLeft = daysUntilEmpty(leftNanos, counts.spendNanos, campaign.costNanos);
  if (daysLeft === null || daysLeft >= DAYS_LEFT_MIN) return null;
  // A campaign that ends by its schedule first keeps some of its budget.
  const isOverFirst = campaign.endsAtMs !== null && campaign.endsAtMs <= nowMs + daysLeft * DAY_MS;
  return isOverFirst ? null : { ...NO_FIGURES, budgetNanos: campaign.budgetTotalNanos, leftNanos, daysLeft };
}

function judgeAdvertiser(
  advertiser: Advertiser | undefined,
  leftNanos: bigint,
  counts: DayCounts,
  cheapestNanos: bigint,
): readonly Concern[] {
  if (advertiser === undefined) return [];
  const subject = { subjectKind: 'advertiser', subjectId: advertiser.id } as const;
  const concerns: Concern[] = [];
  if (!advertiser.isApproved) {
    concerns.push({ kind: 'not_approved', ...subject, reason: 'approval', figures: NO_FIGURES });
  }
  const daysLeft = daysUntilEmpty(leftNanos, counts.spendNanos, cheapestNanos);
  if (daysLeft !== null && daysLeft < DAYS_LEFT_MIN) {
    const figures = { ...NO_FIGURES, leftNanos, daysLeft };
    concerns.push({ kind: 'low_balance', ...subject, reason: null, figures });
  }
  return concerns;
}

/** Days until less than one impression is left, at the spend of the last day. Null: nothing was spent. */
function daysUntilEmpty(leftNanos: bigint, perDayNanos: bigint, costNanos: bigint): number | null {
  if (leftNanos < costNanos) return 0;
  return perDayNanos > 0n ? Number(leftNanos) / Number(perDayNanos) : null;
}

/** What each advertiser has left: what it paid in, less its refunds and the spend and open money of its campaigns. */
function balancesOf(
  catalog: CatalogReader,
  { spend, refundedNanos }: DeliveryFacts,
): ReadonlyMap<Advertiser['id'], bigint> {
  const spent = new Map<Advertiser['id'], bigint>(refundedNanos);
  for (const { advertiserId, spentNanos, openNanos } of spend.values()) {
    spent.set(advertiserId, (spent.get(advertiserId) ?? 0n) + spentNanos + openNanos);
  }
  const balances = new Map<Advertiser['id'], bigint>();
  for (const { advertiserId } of catalog.campaigns()) {
    const funded = catalog.advertiser(advertiserId)?.fundedNanos ?? 0n;
    balances.set(advertiserId, funded - (spent.get(advertiserId) ?? 0n));
  }
  return balances;
}
