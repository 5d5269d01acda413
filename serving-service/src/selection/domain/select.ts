import { primaryLanguage, type App, type Creative, type Random } from '@placard/service-kit/pure';
import type { AdRequest } from '../../domain/ad-request.js';
import { androidMajor } from './attributes.js';
import type { CandidateWalk } from './candidate-walk.js';
import { campaignUnit, isCapped, type CapCounts } from '../../caps/domain/caps.js';
import { chooseCreative, toScreen, type Screen } from './creative-choice.js';
import type { TargetingQuery } from './index-block.js';
import { creativesIn, type IndexedCampaign } from './indexed-campaign.js';

/** A campaign that has passed steps 4 to 6, with what would be shown. */
export interface Candidate {
  readonly entry: IndexedCampaign;
  readonly creative: Creative;
}

/** What selection needs to know besides the index. */
export interface SelectionFacts {
  readonly nowMs: number;
  readonly request: AdRequest;
  readonly counts: CapCounts;
  /** True for a campaign that gets no money just now: it is not even tried. */
  readonly isSkipped: (entry: IndexedCampaign) => boolean;
  readonly random: Random;
}

/**
 * What of a request targeting looks at. Contract: docs/contract/selection.md#language,
 * docs/contract/selection.md#android-version, docs/contract/selection.md#country.
 */
export function toQuery(request: AdRequest, app: Pick<App, 'id' | 'language' | 'category'>): TargetingQuery {
  const android = androidMajor(request.androidVersion);
  return {
    formats: request.format,
    countries: request.country,
    languages: primaryLanguage(request.language) ?? primaryLanguage(app.language),
    appIds: app.id,
    appCategories: app.category,
    androidVersions: android === null ? null : String(android),
  };
}

/** Whether the counts of caps matter to some campaign that the walk has come to. */
export function hasCapInReach({ taken, passedOver }: CandidateWalk): boolean {
  return taken.some(hasCap) || passedOver.some(hasCap);
}

function hasCap({ campaign }: IndexedCampaign): boolean {
  return campaign.frequencyCap !== null;
}

/** Whether some campaign that the walk has come to is left after targeting, schedule and caps, whatever its budget. */
export function isAnyWanted({ taken, passedOver }: CandidateWalk, facts: CapFacts): boolean {
  const isThisWanted = (entry: IndexedCampaign): boolean => isWanted(entry, facts);
  return taken.some(isThisWanted) || passedOver.some(isThisWanted);
}

type CapFacts = Pick<SelectionFacts, 'nowMs' | 'counts'>;

/** Whether a campaign is left after schedule and caps, so that its budget is what matters. */
export function isWanted(entry: IndexedCampaign, { nowMs, counts }: CapFacts): boolean {
  const { id, frequencyCap } = entry.campaign;
  if (!isInSchedule(entry, nowMs)) return false;
  return frequencyCap === null || !isCapped(counts, campaignUnit(id), frequencyCap);
}

/** Served from the start (included) to the end (excluded). */
export function isInSchedule(entry: IndexedCampaign, nowMs: number): boolean {
  const { startsAtMs, endsAtMs } = entry.campaign;
  return (startsAtMs === null || nowMs >= startsAtMs) && (endsAtMs === null || nowMs < endsAtMs);
}

/**
 * The next candidates of a walk in the order in which they are to be tried, at most `countMax`; fewer only at the end.
 * Contract: docs/contract/selection.md#selection-order.
 */
export function nextCandidates(walk: CandidateWalk, facts: SelectionFacts, countMax: number): Candidate[] {
  const screen = toScreen(facts.request.screenWidth, facts.request.screenHeight);
  const candidates: Candidate[] = [];
  while (candidates.length < countMax) {
    const entry = walk.next(facts.random);
    if (entry === null) break;
    const creative = creativeIfEligible(entry, facts, screen);
    if (creative !== null) candidates.push({ entry, creative });
  }
  return candidates;
}

function creativeIfEligible(entry: IndexedCampaign, facts: SelectionFacts, screen: Screen): Creative | null {
  if (!isWanted(entry, facts)) return null;
  if (facts.isSkipped(entry)) return null;
  const { format } = facts.request;
  return chooseCreative(creativesIn(entry, format), format, screen, facts.random);
}
