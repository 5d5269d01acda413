import type { Outbox } from '@placard/service-kit/background';
import { randomIndex, type Random } from '@placard/service-kit/pure';
import { NO_COUNTS } from '../../caps/domain/caps.js';
import type { CapStore } from '../../caps/store/cap-store.js';
import type { LeaseExchanger } from '../../budgets/usecase/exchange-leases.js';
import type { HeadroomMemory } from '../../budgets/usecase/headroom-memory.js';
import type { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { toScreen } from '../../selection/domain/creative-choice.js';
import type { TargetingQuery } from '../../selection/domain/index-block.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { toQuery } from '../../selection/domain/select.js';
import { judge, toCandidates, type ExplainedRequest, type Judged } from '../domain/explained-request.js';
import type { ExplainedFacts } from '../domain/first-loss.js';
import { WHOLE_CAMPAIGNS_MAX } from '../domain/funnel-share.js';
import type { LossCounts } from './loss-counts.js';
import type { AnsweredRequest, WaitingRequest } from './request-sample.js';

/** Campaigns of a larger catalog that are judged for one request. */
export const PART_CAMPAIGNS = 32;
/** Highest bids of a larger catalog that are named beside them. */
const CONTENDERS_MAX = 16;

/** Dependencies of an explanation. */
export interface ExplainRequestsDeps {
  readonly random: Random;
  readonly index: CampaignIndex;
  readonly headroom: Pick<HeadroomMemory, 'reasonOf' | 'leftOf'>;
  readonly exchanger: Pick<LeaseExchanger, 'look'>;
  readonly caps: Pick<CapStore, 'counts'>;
  readonly losses: Pick<LossCounts, 'add'>;
  /** Keeps the explanation of a request. */
  readonly kept: Pick<Outbox<ExplainedRequest>, 'push'>;
}

/**
 * Explains requests after their answers: counts the lost step of each campaign, and keeps the explanation. In a catalog
 * of more than {@link WHOLE_CAMPAIGNS_MAX} campaigns it counts a random part of them for each request.
 */
export function makeExplainRequests(
  deps: ExplainRequestsDeps,
): (requests: readonly WaitingRequest[]) => Promise<void> {
  return async (requests) => {
    for (const request of requests) await explain(deps, request);
  };
}

async function explain(
  deps: ExplainRequestsDeps,
  { isKept, weight, answered }: WaitingRequest,
): Promise<void> {
  const { index, random, headroom } = deps;
  const { request, slot, winner, atMs } = answered;
  const query = toQuery(request, slot.app);
  const part = index.part(random.next(), index.size <= WHOLE_CAMPAIGNS_MAX ? index.size : PART_CAMPAIGNS);
  const won = winner === null ? undefined : index.get(winner);
  const others = isKept && part.length < index.size ? othersOf(deps, query, { part, won }) : [];
  const facts: ExplainedFacts = {
    atMs,
    format: request.format,
    query,
    screen: toScreen(request.screenWidth, request.screenHeight),
    endedAt: answered.endedAt,
    ...(await countsOf(deps, [...part, ...others], answered)),
    winner,
    skipReason: (entry) => headroom.reasonOf(entry),
    leftOf: (entry) => headroom.leftOf(entry),
  };
  const judged = judge(part, facts, won?.rank ?? null);
  // The more requests there are, the fewer of them peek.
  if (random.next() * (weight ?? 1) < 1) lookAtOne(deps, judged);
  if (weight !== null) countLosses(deps, { judged, answered, weight: (index.size / part.length) * weight });
  if (isKept)
    deps.kept.push(toExplained(answered, facts, [...judged, ...judge(others, facts, won?.rank ?? null)]));
}

/** Counts the campaigns that lost. Each counts for `weight` requests and campaigns. */
function countLosses(
  { losses, random }: ExplainRequestsDeps,
  {
    judged,
    answered: { atMs, winner },
    weight,
  }: {
    readonly judged: readonly Judged[];
    readonly answered: AnsweredRequest;
    readonly weight: number;
  },
): void {
  const requests = wholeNumber(weight, random);
  for (const { entry, lostAt } of judged) {
    if (lostAt === null) continue;
    const rival = lostAt === 'outbid' ? winner : null;
    losses.add({ atMs, campaignId: entry.campaign.id, step: lostAt, rival }, requests);
  }
}

/** One of the whole numbers beside a number, drawn so that many of them have its mean. */
function wholeNumber(value: number, random: Random): number {
  return Math.floor(value + random.next());
}

/** Counts of the session, when a campaign has a cap. Without Redis no campaign counts as capped. */
async function countsOf(
  { caps }: ExplainRequestsDeps,
  entries: readonly IndexedCampaign[],
  { sessionId, atMs }: AnsweredRequest,
): Promise<Pick<ExplainedFacts, 'counts' | 'areCountsKnown'>> {
  const none = { counts: NO_COUNTS, areCountsKnown: false };
  if (entries.every(({ campaign }) => campaign.frequencyCap === null)) return none;
  return caps.counts(sessionId, atMs).then(
    (counts) => ({ counts, areCountsKnown: true }),
    () => none,
  );
}

/**
 * Peeks at the budget of a random campaign that was outbid. Otherwise a campaign that is always outbid would never show
 * that it has no money.
 */
function lookAtOne({ exchanger, random }: ExplainRequestsDeps, judged: readonly Judged[]): void {
  const outbid = judged.filter(({ lostAt }) => lostAt === 'outbid');
  const one = outbid[randomIndex(random, outbid.length)];
  if (one !== undefined) exchanger.look(one.entry);
}

/**
 * The campaigns outside the part that an explanation names: the winner, and some that pass targeting, highest bids
 * first.
 */
function othersOf(
  { index, random }: ExplainRequestsDeps,
  query: TargetingQuery,
  { part, won }: { readonly part: readonly IndexedCampaign[]; readonly won: IndexedCampaign | undefined },
): IndexedCampaign[] {
  const walk = index.walk(query);
  for (let taken = 0; taken < CONTENDERS_MAX; taken += 1) if (walk.next(random) === null) break;
  const others = new Set([...walk.taken, ...walk.passedOver]);
  if (won !== undefined) others.add(won);
  for (const entry of part) others.delete(entry);
  return [...others];
}

function toExplained(
  { requestId, atMs, request, slot, result, winner }: AnsweredRequest,
  facts: ExplainedFacts,
  judged: readonly Judged[],
): ExplainedRequest {
  return {
    requestId,
    atMs,
    appId: slot.app.id,
    placement: slot.placement.code,
    format: request.format,
    result,
    winner,
    candidates: toCandidates(judged, facts),
    candidateCount: judged.length,
  };
}
