import { appError } from '@placard/service-kit';
import type { AppId, CatalogReader, Clock, PlacementCode, SelectionStep } from '@placard/service-kit/pure';
import { offReason, offSwitchOf } from '../../ads/domain/checks.js';
import type { LeaseExchanger } from '../../budgets/usecase/exchange-leases.js';
import type { HeadroomMemory } from '../../budgets/usecase/headroom-memory.js';
import { NO_COUNTS } from '../../caps/domain/caps.js';
import type { RefiningTexts, Slot } from '../../domain/ad-request.js';
import type { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { toScreen } from '../../selection/domain/creative-choice.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { toQuery } from '../../selection/domain/select.js';
import { judge, toCandidates, type ExplainedRequest, type Judged } from '../domain/explained-request.js';
import { firstLoss, type EndingSwitch, type ExplainedFacts } from '../domain/first-loss.js';

/** Most campaigns whose budgets are asked for. */
const LOOKED_AT_MAX = 256;
/** Campaigns that are judged in one turn of the event loop. */
const PART_CAMPAIGNS = 2_000;

/** A request that no client makes. */
export interface TriedRequest extends RefiningTexts {
  readonly appId: AppId;
  readonly placement: PlacementCode;
  /** Pixels; null or 0: not given. */
  readonly screenWidth: number | null;
  readonly screenHeight: number | null;
}

/** Dependencies of the use case. */
export interface TryRequestDeps {
  readonly catalog: CatalogReader;
  readonly index: CampaignIndex;
  readonly headroom: Pick<HeadroomMemory, 'reasonOf' | 'leftOf' | 'advanceTo'>;
  readonly exchanger: Pick<LeaseExchanger, 'lookNow'>;
  readonly clock: Clock;
  /** Lets the event loop do other work. */
  readonly turn: () => Promise<void>;
}

/**
 * Explains what a fresh live session would get now. It reserves and counts nothing. Equal bids are not drawn: the first id
 * wins. Error `not_found`: the app or the placement is unknown. Contract: docs/contract/explanations.md#tried-requests.
 */
export type TryRequest = (request: TriedRequest) => Promise<ExplainedRequest>;

/** Steps that only money decides. */
const MONEY_STEPS: ReadonlySet<SelectionStep> = new Set<SelectionStep>([
  'balance',
  'budget_total',
  'budget_daily',
  'pacing',
]);

/** Makes the use case. */
export function makeTryRequest(deps: TryRequestDeps): TryRequest {
  return async (request) => {
    const slot = slotOf(deps.catalog, request);
    const atMs = deps.clock.now();
    deps.headroom.advanceTo(atMs);
    const off = endingSwitch(deps.catalog, slot);
    const facts: ExplainedFacts = {
      atMs,
      format: slot.placement.format,
      query: toQuery({ ...request, format: slot.placement.format }, slot.app),
      screen: toScreen(request.screenWidth, request.screenHeight),
      endedAt: off,
      counts: NO_COUNTS,
      areCountsKnown: true,
      winner: null,
      skipReason: (entry) => deps.headroom.reasonOf(entry),
      leftOf: (entry) => deps.headroom.leftOf(entry),
    };
    const winner = off === null ? await findWinner(deps, facts) : null;
    const decided = { ...facts, winner: winner?.campaign.id ?? null };
    const judged = await judgeAll(deps, decided, winner?.rank ?? null);
    return {
      requestId: null,
      atMs,
      appId: slot.app.id,
      placement: slot.placement.code,
      format: slot.placement.format,
      result: resultOf(off, winner),
      winner: decided.winner,
      candidates: toCandidates(judged, decided),
      candidateCount: judged.length,
    };
  };
}

function slotOf(catalog: CatalogReader, { appId, placement: code }: TriedRequest): Slot {
  const app = catalog.app(appId);
  const publisher = app && catalog.publisher(app.publisherId);
  if (app === undefined || publisher === undefined)
    throw appError('not_found', 'There is no app with this id.');
  const placement = catalog.placement(app.id, code);
  if (placement === undefined) throw appError('not_found', 'The app has no placement with this code.');
  return { publisher, app, placement, isTest: false };
}

/** The switch that ends the request before selection. Null: selection decides. */
function endingSwitch(catalog: CatalogReader, slot: Slot): EndingSwitch | null {
  return slot.app.isApproved ? offSwitchOf(catalog, slot, { isNoFillForced: false }) : 'unapproved_app';
}

function resultOf(off: EndingSwitch | null, winner: IndexedCampaign | null): string {
  if (off === 'unapproved_app') return 'app_not_approved';
  if (off !== null) return offReason(off);
  return winner === null ? 'no_eligible_campaign' : 'fill';
}

/** The highest bid that passes all steps. The budgets of the highest bids are asked for before. */
async function findWinner(deps: TryRequestDeps, facts: ExplainedFacts): Promise<IndexedCampaign | null> {
  const contenders: IndexedCampaign[] = [];
  for await (const part of parts(deps)) {
    contenders.push(...part.filter((entry) => isContender(entry, facts)));
    if (contenders.length >= LOOKED_AT_MAX) break;
  }
  if (contenders.length === 0) return null;
  await deps.exchanger.lookNow(contenders.slice(0, LOOKED_AT_MAX));
  return contenders.find((entry) => firstLoss(entry, facts) === null) ?? null;
}

/** Whether only money can refuse the campaign. */
function isContender(entry: IndexedCampaign, facts: ExplainedFacts): boolean {
  const step = firstLoss(entry, facts);
  return step === null || MONEY_STEPS.has(step);
}

async function judgeAll(
  deps: TryRequestDeps,
  facts: ExplainedFacts,
  winnerRank: number | null,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for await (const part of parts(deps)) judged.push(...judge(part, facts, winnerRank));
  return judged;
}

/** All campaigns, highest bid first, in parts. Ad requests are handled between two parts. */
async function* parts({ index, turn }: TryRequestDeps): AsyncGenerator<readonly IndexedCampaign[]> {
  const all = index.part(0, index.size);
  for (let at = 0; at < all.length; at += PART_CAMPAIGNS) {
    yield all.slice(at, at + PART_CAMPAIGNS);
    await turn();
  }
}
