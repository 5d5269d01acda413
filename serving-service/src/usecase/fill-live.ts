import type { AdvertiserId, RequestId, SessionClaims } from '@placard/service-kit/pure';
import {
  RESERVE_CANDIDATES_MAX,
  toReserveItem,
  type FillTime,
  type ReservedFill,
  type ReserveFinding,
} from '../domain/budget.js';
import type { CandidateWalk } from '../domain/candidate-walk.js';
import { campaignUnit, pendingCountsUntil, placementUnit, type CapUnit } from '../domain/caps.js';
import { nextCandidates, type Candidate, type SelectionFacts } from '../domain/select.js';
import type { Slot } from '../domain/ad-request.js';
import type { BudgetStore } from '../store/budget-store.js';
import type { CapClaim, CapStore } from '../store/cap-store.js';
import type { BudgetOutlook } from './budget-outlook.js';
import type { BudgetSeeder } from './seed-budgets.js';

/** Rounds of reserving for one request, at most: each is one step in the budget shard and one in the session. */
export const ROUNDS_MAX = 8;
/** The first candidate nearly always can reserve, so the first round asks for it alone; each one more costs. */
const FIRST_ROUND_CANDIDATES = 1;
/** Longest that a request waits for missing counters; the seeding itself goes on. */
export const SEED_WAIT_MS_MAX = 1_500;

/** What filling from the budgets needs. */
export interface FillDeps {
  readonly budgets: BudgetStore;
  readonly caps: CapStore;
  readonly outlook: BudgetOutlook;
  readonly seeder: BudgetSeeder;
  readonly wait: (ms: number) => Promise<void>;
}

/** One request that has come to selection. */
export interface FillTask {
  readonly requestId: RequestId;
  readonly session: SessionClaims;
  readonly slot: Slot;
  readonly time: FillTime;
  readonly walk: CandidateWalk;
  readonly facts: SelectionFacts;
}

/** The candidate whose cost is reserved and whose caps are claimed, or why there is none. */
export type FillOutcome =
  | { readonly kind: 'filled'; readonly candidate: Candidate }
  | { readonly kind: 'none' }
  | { readonly kind: 'placement_capped' };

type Step = FillOutcome | { readonly kind: 'again' };

/**
 * Step 8: tries the candidates in order, the cost and the cap slot in parallel; if one fails, the other is taken back
 * and the next candidate is tried. Rejects when a store cannot be reached; nothing stays reserved then as far as the
 * stores can be told. Specification: "Selection order".
 */
export async function fillLive(deps: FillDeps, task: FillTask): Promise<FillOutcome> {
  const queue: Candidate[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const countMax = round === 0 ? FIRST_ROUND_CANDIDATES : RESERVE_CANDIDATES_MAX;
    queue.push(...nextCandidates(task.walk, task.facts, countMax - queue.length));
    const batch = sameShard(deps, queue);
    const [first] = batch;
    if (first === undefined) return { kind: 'none' };
    const step = await tryBatch(deps, task, { queue, batch, first });
    if (step.kind !== 'again') return step;
  }
  return { kind: 'none' };
}

interface Attempt {
  /** Candidates that are left; tried ones are taken out. */
  readonly queue: Candidate[];
  readonly batch: readonly Candidate[];
  readonly first: Candidate;
}

/** Candidates of one atomic step share a shard; the others wait, so that the order by bid is kept. */
function sameShard(deps: FillDeps, queue: readonly Candidate[]): readonly Candidate[] {
  const shardOf = (candidate: Candidate): number => deps.budgets.shardOf(candidate.entry.advertiser.id);
  const [first] = queue;
  if (first === undefined) return [];
  const end = queue.findIndex((candidate) => shardOf(candidate) !== shardOf(first));
  return end < 0 ? queue.slice() : queue.slice(0, end);
}

async function tryBatch(deps: FillDeps, task: FillTask, attempt: Attempt): Promise<Step> {
  const { batch, first } = attempt;
  const items = batch.map(({ entry }) =>
    toReserveItem(entry, task.time.filledAtMs, deps.outlook.paceOf(entry)),
  );
  const claims = claimsOf(task, first);
  const [reserved, claimed] = await Promise.allSettled([
    deps.budgets.reserve(items, task.time),
    claim(deps, task, claims),
  ]);
  const winner =
    reserved.status === 'fulfilled'
      ? batch[reserved.value.findIndex((finding) => finding.verdict === 'reserved')]
      : undefined;
  const held = claimed.status === 'fulfilled' && claimed.value === null ? claims : [];
  if (reserved.status === 'rejected' || claimed.status === 'rejected') {
    await takeBack(deps, task, { winner, held });
    throw failureOf(reserved, claimed);
  }
  noteFindings(deps, batch, reserved.value);
  if (isPlacementUnit(task, claimed.value)) {
    await takeBack(deps, task, { winner, held });
    return { kind: 'placement_capped' };
  }
  if (winner === undefined) {
    await takeBack(deps, task, { winner, held });
    return prepareNext(deps, attempt, reserved.value);
  }
  if (winner === first && claimed.value === null) return { kind: 'filled', candidate: winner };
  return settleClaims(deps, task, { attempt, winner, held });
}

/** The winner is not the one for which slots were claimed, or that one's cap is full: claims the winner's instead. */
async function settleClaims(
  deps: FillDeps,
  task: FillTask,
  state: { readonly attempt: Attempt; readonly winner: Candidate; readonly held: readonly CapClaim[] },
): Promise<Step> {
  const { attempt, winner, held } = state;
  const { queue, first } = attempt;
  if (winner !== first) {
    // Whoever stands before the winner was refused.
    queue.splice(0, queue.indexOf(winner));
    const full = await claim(deps, task, claimsOf(task, winner), held).catch(async (error: unknown) => {
      await takeBack(deps, task, { winner, held });
      throw error;
    });
    if (full === null) return { kind: 'filled', candidate: winner };
    if (isPlacementUnit(task, full)) {
      await takeBack(deps, task, { winner, held: [] });
      return { kind: 'placement_capped' };
    }
  }
  await takeBack(deps, task, { winner, held: [] });
  queue.splice(queue.indexOf(winner), 1);
  return { kind: 'again' };
}

/** After a round without a winner: fetches what was missing, and drops who was refused. */
async function prepareNext(
  deps: FillDeps,
  { queue, batch }: Attempt,
  findings: readonly ReserveFinding[],
): Promise<Step> {
  const unknown = batch.filter((_, at) => findings[at]?.verdict === 'unknown');
  const missing = new Set(await unseeded(deps, unknown));
  const refused = batch.filter((candidate, at) => {
    const verdict = findings[at]?.verdict;
    if (verdict === 'unknown') return missing.has(candidate);
    return verdict !== 'anchor' && verdict !== 'untried';
  });
  for (const candidate of refused) queue.splice(queue.indexOf(candidate), 1);
  return { kind: 'again' };
}

/**
 * Seeds the counters of the candidates; answers those whose counters could not be had in time. Where they cannot be had
 * at all just now, the next requests do not ask again before the next look at spent campaigns.
 */
async function unseeded(deps: FillDeps, candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return [];
  const byAdvertiser = groupByAdvertiser(candidates);
  const outcomes = await Promise.all(
    [...byAdvertiser].map(async ([advertiserId, group]) => {
      const ids = group.map((candidate) => candidate.entry.campaign.id);
      const late = deps.wait(SEED_WAIT_MS_MAX).then(() => 'late' as const);
      const outcome = await Promise.race([deps.seeder.seed(advertiserId, ids), late]);
      if (outcome === true) return [];
      if (outcome === false) for (const candidate of group) deps.outlook.setUnknown(candidate.entry);
      return group;
    }),
  );
  return outcomes.flat();
}

function noteFindings(
  deps: FillDeps,
  batch: readonly Candidate[],
  findings: readonly ReserveFinding[],
): void {
  for (const [at, finding] of findings.entries()) {
    const entry = batch[at]?.entry;
    if (entry !== undefined) deps.outlook.note(entry, finding);
  }
}

/** The slots that a fill of the candidate takes: the placement's first, then the campaign's. */
export function claimsOf(
  task: Pick<FillTask, 'slot' | 'session' | 'time'>,
  candidate: Candidate | null,
): CapClaim[] {
  const { placement } = task.slot;
  const campaign = candidate?.entry.campaign;
  const caps = [
    { unit: placementUnit(placement.code), cap: placement.frequencyCap },
    ...(campaign === undefined ? [] : [{ unit: campaignUnit(campaign.id), cap: campaign.frequencyCap }]),
  ];
  return caps.flatMap(({ unit, cap }) => {
    if (cap === null) return [];
    const countsUntilMs = pendingCountsUntil(cap.period, task.time, task.session.expiresAtMs);
    return [{ unit, countMax: cap.count, countsUntilMs }];
  });
}

function isPlacementUnit(task: FillTask, unit: CapUnit | null): boolean {
  return unit === placementUnit(task.slot.placement.code);
}

function claim(
  deps: FillDeps,
  task: FillTask,
  claims: readonly CapClaim[],
  held: readonly CapClaim[] = [],
): Promise<CapUnit | null> {
  if (claims.length === 0 && held.length === 0) return Promise.resolve(null);
  const fill = { sessionId: task.session.sessionId, requestId: task.requestId };
  const replaced = held.map(({ unit }) => unit);
  return deps.caps.claim(fill, claims, { nowMs: task.time.filledAtMs, replaced });
}

/** Gives back what a round holds. What cannot be given back now expires, or is closed with its minute. */
export async function takeBack(
  deps: Pick<FillDeps, 'budgets' | 'caps' | 'outlook'>,
  task: Pick<FillTask, 'requestId' | 'session' | 'time'>,
  state: { readonly winner: Candidate | undefined; readonly held: readonly CapClaim[] },
): Promise<void> {
  const { winner, held } = state;
  const undone: Promise<unknown>[] = [];
  if (winner !== undefined) {
    undone.push(deps.budgets.release(toFill(task, winner)));
    deps.outlook.forget(winner.entry.campaign.id);
  }
  if (held.length > 0) {
    const fill = { sessionId: task.session.sessionId, requestId: task.requestId };
    const over = held.map(({ unit }) => ({ unit, countsUntilMs: 0 }));
    undone.push(deps.caps.settle(fill, over, task.time.filledAtMs));
  }
  await Promise.allSettled(undone);
}

/** The fill of a candidate, as budgets know it. */
export function toFill(task: Pick<FillTask, 'requestId' | 'time'>, candidate: Candidate): ReservedFill {
  const { campaign, advertiser } = candidate.entry;
  return {
    requestId: task.requestId,
    campaignId: campaign.id,
    advertiserId: advertiser.id,
    costNanos: campaign.costNanos,
    filledAtMs: task.time.filledAtMs,
  };
}

function failureOf(...results: readonly PromiseSettledResult<unknown>[]): Error {
  const failed = results.find((result) => result.status === 'rejected');
  const reason: unknown = failed?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}

function groupByAdvertiser(candidates: readonly Candidate[]): Map<AdvertiserId, Candidate[]> {
  const groups = new Map<AdvertiserId, Candidate[]>();
  for (const candidate of candidates) {
    const { id } = candidate.entry.advertiser;
    groups.set(id, [...(groups.get(id) ?? []), candidate]);
  }
  return groups;
}
