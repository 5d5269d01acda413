import { minuteOf, type RequestId, type SessionClaims } from '@placard/service-kit/pure';
import type { AdRequest, FillTime, Slot } from '../domain/ad-request.js';
import type { CandidateWalk } from '../domain/candidate-walk.js';
import { campaignUnit, OPEN_UNIT, pendingCountsUntil, placementUnit, type CapUnit } from '../domain/caps.js';
import type { IndexedCampaign } from '../domain/indexed-campaign.js';
import type { Lease } from '../domain/lease.js';
import { nextCandidates, type Candidate, type SelectionFacts } from '../domain/select.js';
import type { Wallet } from '../domain/wallet.js';
import type { CapClaim, CapStore } from '../store/cap-store.js';
import type { BudgetOutlook } from './budget-outlook.js';
import type { LeaseExchanger } from './exchange-leases.js';
import { makeFill, type Fill, type MakeFillDeps } from './make-fill.js';

/** How many campaigns are looked at ahead with the first, second, … question of a request, and with all later ones. */
const AHEAD = [0, 8, 64, 512, 2_048] as const;
const AHEAD_MAX = 2_048;

/** What filling needs. */
export interface FillDeps extends MakeFillDeps {
  readonly wallet: Wallet;
  readonly exchanger: LeaseExchanger;
  readonly caps: CapStore;
  readonly outlook: BudgetOutlook;
  /** Live fills of a session that may be neither shown nor over; 0: any number. */
  readonly openFillsMax: number;
  /** Told when a store could not be reached and the request goes on without it, or ends without an ad. */
  readonly onDegraded: (error: unknown) => void;
}

/** One request that has come to selection. */
export interface FillTask {
  readonly requestId: RequestId;
  readonly request: AdRequest;
  readonly session: SessionClaims;
  readonly slot: Slot;
  readonly time: FillTime;
  /** Epoch ms; infinite: none. */
  readonly deadlineAt: number;
  readonly walk: CandidateWalk;
  readonly facts: SelectionFacts;
}

/** The ad, or why there is none. */
export type FillOutcome =
  | { readonly kind: 'filled'; readonly fill: Fill }
  | { readonly kind: 'none' }
  | { readonly kind: 'placement_capped' };

/**
 * Step 8: the first candidate whose price is in the wallet and for which the session has room is filled. Rejects when
 * the token cannot be sealed; nothing is held then. Contract: docs/contract/selection.md#selection-order.
 */
export async function fillLive(deps: FillDeps, task: FillTask): Promise<FillOutcome> {
  const line = new Line(task);
  for (let candidate = line.next(); candidate !== null; candidate = line.next()) {
    const lease = await payFor(deps, task, { candidate, line });
    if (lease === null) continue;
    const full = await claimSlots(deps, task, { candidate, lease });
    if (full === null) return { kind: 'filled', fill: await seal(deps, task, { candidate, lease }) };
    if (full === placementUnit(task.slot.placement.code)) return { kind: 'placement_capped' };
    if (full === OPEN_UNIT || full === 'down') return { kind: 'none' };
  }
  return { kind: 'none' };
}

/** A candidate that is paid for. */
interface Paid {
  readonly candidate: Candidate;
  readonly lease: Lease;
}

/** The candidates of a request in their order. */
class Line {
  readonly #task: FillTask;
  /** Candidates that were looked at ahead. */
  #ahead: Candidate[] = [];
  #questions = 0;

  constructor(task: FillTask) {
    this.#task = task;
  }

  /** The next candidate that does not rest; null: there is none. */
  next(): Candidate | null {
    for (let candidate = this.#take(); candidate !== undefined; candidate = this.#take()) {
      if (!this.#task.facts.isSpent(candidate.entry)) return candidate;
    }
    return null;
  }

  /** The campaigns whose verdict should be asked for together with the one that was just taken: more with each question. */
  lookAhead(): readonly IndexedCampaign[] {
    const count = AHEAD[this.#questions] ?? AHEAD_MAX;
    this.#questions += 1;
    if (this.#ahead.length > 0) return [];
    this.#ahead = nextCandidates(this.#task.walk, this.#task.facts, count).reverse();
    return this.#ahead.map(({ entry }) => entry);
  }

  #take(): Candidate | undefined {
    return this.#ahead.pop() ?? nextCandidates(this.#task.walk, this.#task.facts, 1)[0];
  }
}

/** Takes the candidate's price from the wallet, and asks for money while there is none. Null: it gets none. */
async function payFor(
  deps: FillDeps,
  { time, deadlineAt }: FillTask,
  { candidate: { entry }, line }: { readonly candidate: Candidate; readonly line: Line },
): Promise<Lease | null> {
  const { id, costNanos } = entry.campaign;
  const minute = minuteOf(time.filledAtMs);
  let isFirst = true;
  let anchors = 0;
  for (;;) {
    const lease = deps.wallet.take(id, minute, costNanos, time.filledAtMs);
    if (lease !== null) return lease;
    const next = isFirst ? line.lookAhead() : [];
    isFirst = false;
    const outcome = await deps.exchanger.ask({ entry, minute, deadlineAt, next });
    if (outcome === 'anchor') anchors += 1;
    // Others may have taken what was granted; and for another anchor the plan is made anew, once.
    if (outcome === 'granted' || (outcome === 'anchor' && anchors === 1)) continue;
    if (outcome === 'unavailable') deps.outlook.rest(entry, 'unknown', minute);
    return null;
  }
}

/** Claims the session's slots for the fill; null: claimed. Else the unit that is full, or `down`, and the money is back. */
async function claimSlots(
  deps: FillDeps,
  task: FillTask,
  { candidate, lease }: Paid,
): Promise<CapUnit | 'down' | null> {
  const claims = claimsOf(deps, task, candidate.entry);
  if (claims.length === 0) return null;
  const fill = { sessionId: task.session.sessionId, requestId: task.requestId };
  const full = await deps.caps.claim(fill, claims, task.time.filledAtMs).catch((error: unknown) => {
    deps.onDegraded(error);
    return 'down' as const;
  });
  if (full !== null) giveBack(deps, { candidate, lease });
  return full;
}

/** Seals the token; when that fails, money and slots are given back. */
async function seal(deps: FillDeps, task: FillTask, { candidate, lease }: Paid): Promise<Fill> {
  const { campaign } = candidate.entry;
  try {
    const shown = { creative: candidate.creative, campaign, leaseRun: deps.exchanger.run };
    return makeFill(deps, task, shown);
  } catch (error) {
    giveBack(deps, { candidate, lease });
    const units = claimsOf(deps, task, candidate.entry).map(({ unit }) => ({ unit, countsUntilMs: 0 }));
    const fill = { sessionId: task.session.sessionId, requestId: task.requestId };
    // Slots that cannot be given back now stop counting when the ad would be over.
    if (units.length > 0) await deps.caps.settle(fill, units, task.time.filledAtMs).catch(() => undefined);
    throw error;
  }
}

/** The money is there for the next request, also when the campaign was refused more meanwhile. */
function giveBack({ wallet, outlook }: FillDeps, { candidate: { entry }, lease }: Paid): void {
  wallet.giveBack(lease, entry);
  outlook.wake(entry.campaign.id);
}

/** The slots that a fill of the campaign takes: the placement's, one of the open fills', the campaign's. */
function claimsOf(
  deps: FillDeps,
  { slot, session, time }: FillTask,
  { campaign }: IndexedCampaign,
): CapClaim[] {
  const claims = placementClaims({ slot, session, time });
  if (deps.openFillsMax > 0) {
    claims.push({ unit: OPEN_UNIT, countMax: deps.openFillsMax, countsUntilMs: time.expiresAtMs });
  }
  if (campaign.frequencyCap !== null) {
    const countsUntilMs = pendingCountsUntil(campaign.frequencyCap.period, time, session.expiresAtMs);
    claims.push({ unit: campaignUnit(campaign.id), countMax: campaign.frequencyCap.count, countsUntilMs });
  }
  return claims;
}

/** The slot that any fill of the placement takes, test ads included; none without a cap. */
export function placementClaims({
  slot,
  session,
  time,
}: Pick<FillTask, 'slot' | 'session' | 'time'>): CapClaim[] {
  const { code, frequencyCap } = slot.placement;
  if (frequencyCap === null) return [];
  const countsUntilMs = pendingCountsUntil(frequencyCap.period, time, session.expiresAtMs);
  return [{ unit: placementUnit(code), countMax: frequencyCap.count, countsUntilMs }];
}
