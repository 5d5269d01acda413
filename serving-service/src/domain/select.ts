import { primaryLanguage, type App, type Creative, type Random } from '@placard/service-kit/pure';
import type { AdRequest } from './ad-request.js';
import { androidMajor } from './attributes.js';
import type { CandidateWalk } from './candidate-walk.js';
import { campaignUnit, isCapped, type CapCounts } from './caps.js';
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
  /** True for a campaign that has no budget left beyond doubt: it is not even tried. Asked after schedule and caps. */
  readonly isSpent: (entry: IndexedCampaign) => boolean;
  readonly random: Random;
}

/**
 * What of a request targeting looks at. Contract: docs/contract/selection.md#language,
 * docs/contract/selection.md#android-version, docs/contract/selection.md#country.
 */
export function toQuery(request: AdRequest, app: Pick<App, 'id' | 'language' | 'category'>): TargetingQuery {
  const android = androidMajor(request.androidVersion);
  return {
    format: request.format,
    country: request.country,
    language: primaryLanguage(request.language) ?? primaryLanguage(app.language),
    appId: app.id,
    category: app.category,
    androidVersion: android === null ? null : String(android),
  };
}

/** Whether a campaign that was passed over would have come to its budgets: it is in schedule and not capped. */
export function isWanted(
  entry: IndexedCampaign,
  { nowMs, counts }: Pick<SelectionFacts, 'nowMs' | 'counts'>,
): boolean {
  const { id, frequencyCap } = entry.campaign;
  return isInSchedule(entry, nowMs) && !isCapped(counts, campaignUnit(id), frequencyCap);
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
  if (facts.isSpent(entry)) return null;
  const { format } = facts.request;
  return chooseCreative(creativesIn(entry, format), format, screen, facts.random);
}
