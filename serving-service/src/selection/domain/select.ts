import {
  androidMajor,
  primaryLanguage,
  type App,
  type Creative,
  type Random,
} from '@placard/service-kit/pure';
import type { AdRequest, RefiningText } from '../../domain/ad-request.js';
import type { CandidateWalk } from './candidate-walk.js';
import { campaignUnit, isCapped, type CapCounts } from '../../caps/domain/caps.js';
import { chooseCreative, toScreen, type Screen } from './creative-choice.js';
import type { TargetingQuery } from './index-block.js';
import { creativesIn, type IndexedCampaign } from './indexed-campaign.js';

/** A campaign that has passed steps 4 to 6, with the creative to show. */
export interface Candidate {
  readonly entry: IndexedCampaign;
  readonly creative: Creative;
}

/** The facts for selection besides the index. */
export interface SelectionFacts {
  readonly nowMs: number;
  readonly request: AdRequest;
  readonly counts: CapCounts;
  /** True for a campaign that currently gets no money. It is not tried. */
  readonly isSkipped: (entry: IndexedCampaign) => boolean;
  readonly random: Random;
}

/**
 * The fields of a request that targeting uses. Contract: docs/contract/selection.md#language,
 * docs/contract/selection.md#android-version, docs/contract/selection.md#country.
 */
export function toQuery(
  request: Pick<AdRequest, 'format' | RefiningText>,
  app: Pick<App, 'id' | 'language' | 'category'>,
): TargetingQuery {
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

/** Whether any campaign of the walk so far has a cap, so that counts matter. */
export function hasCapInReach({ taken, passedOver }: CandidateWalk): boolean {
  return taken.some(hasCap) || passedOver.some(hasCap);
}

function hasCap({ campaign }: IndexedCampaign): boolean {
  return campaign.frequencyCap !== null;
}

/** Whether any campaign of the walk so far passes targeting, schedule and caps, whatever its budget. */
export function isAnyWanted({ taken, passedOver }: CandidateWalk, facts: CapFacts): boolean {
  const isThisWanted = (entry: IndexedCampaign): boolean => isWanted(entry, facts);
  return taken.some(isThisWanted) || passedOver.some(isThisWanted);
}

type CapFacts = Pick<SelectionFacts, 'nowMs' | 'counts'>;

/** Whether a campaign passes schedule and caps, so that only its budget decides. */
export function isWanted(entry: IndexedCampaign, { nowMs, counts }: CapFacts): boolean {
  const { id, frequencyCap } = entry.campaign;
  if (!isInSchedule(entry, nowMs)) return false;
  return frequencyCap === null || !isCapped(counts, campaignUnit(id), frequencyCap);
}

/** Whether an instant is between the start (included) and the end (excluded). */
export function isInSchedule(entry: IndexedCampaign, nowMs: number): boolean {
  const { startsAtMs, endsAtMs } = entry.campaign;
  return (startsAtMs === null || nowMs >= startsAtMs) && (endsAtMs === null || nowMs < endsAtMs);
}

/**
 * The next candidates of a walk in their order, at most `countMax`. Fewer only at the end of the walk.
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
