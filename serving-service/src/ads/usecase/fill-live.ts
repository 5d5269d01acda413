import { minuteOf } from '@placard/service-kit/pure';
import type { Lease } from '../../budgets/domain/lease.js';
import type { Candidate } from '../../selection/domain/select.js';
import type { Wallet } from '../../budgets/domain/wallet.js';
import type { CapStore } from '../../caps/store/cap-store.js';
import type { HeadroomMemory } from '../../budgets/usecase/headroom-memory.js';
import { CandidateQueue, type CandidateQueueDeps } from './candidate-queue.js';
import { claimSlots, freeSlots, liveClaims, type ClaimSlotsDeps } from '../../caps/usecase/claim-slots.js';
import type { LeaseExchanger } from '../../budgets/usecase/exchange-leases.js';
import type { FillResult, FillTask } from './fill-task.js';
import { makeFill, type Fill, type FilledRequest, type MakeFillDeps } from './make-fill.js';

/** Dependencies of a live fill. */
export interface FillLiveDeps extends MakeFillDeps, ClaimSlotsDeps, CandidateQueueDeps {
  readonly caps: CapStore;
  readonly wallet: Wallet;
  readonly exchanger: LeaseExchanger;
  readonly headroom: HeadroomMemory;
}

/**
 * Step 8: fills the first candidate whose price is in the wallet and whose caps are not full in the session, if the
 * fraud cap accepts the request. Rejects when there is no verdict or the token cannot be sealed; money and slots are
 * then returned. Contract: docs/contract/selection.md#selection-order.
 */
export async function fillLive(deps: FillLiveDeps, task: FillTask): Promise<FillResult> {
  const queue = new CandidateQueue(deps, task);
  const isWary = deps.wary.has(task.session);
  for (let candidate = queue.next(); candidate !== null; candidate = queue.next()) {
    const paid = isWary ? null : payAtOnce(deps, task, candidate);
    const lease = paid ?? (await payWhenSure(deps, task, { candidate, queue }));
    if (lease === null) continue;
    let fill: Fill | null = null;
    try {
      const refusal = await claimSlots(deps, task, liveClaims(deps, task, candidate.entry));
      if (refusal === null) fill = seal(deps, task, candidate);
      else queue.refuse(refusal);
    } finally {
      if (fill === null) giveBack(deps, task, { candidate, lease });
    }
    if (fill !== null) return { kind: 'filled', fill, undo: undoOf(deps, task, { candidate, lease }) };
  }
  return queue.result();
}

/** Takes the price of the candidate from the wallet. Null: the wallet does not have it. */
function payAtOnce({ wallet }: FillLiveDeps, { time }: FillTask, { entry }: Candidate): Lease | null {
  const { id, costNanos } = entry.campaign;
  return wallet.take(id, minuteOf(time.filledAtMs), costNanos, time.filledAtMs);
}

/**
 * Waits for everything that can refuse the request, and then asks for money if the wallet has none. So a refused
 * request asks for no money. A candidate whose money does not come in time has another turn after all others. Null: the
 * candidate is no longer one, or gets no money now.
 */
async function payWhenSure(
  deps: FillLiveDeps,
  task: FillTask,
  { candidate, queue }: { readonly candidate: Candidate; readonly queue: CandidateQueue },
): Promise<Lease | null> {
  await queue.learn();
  if (!queue.isLeft(candidate)) return null;
  const { entry } = candidate;
  const minute = minuteOf(task.time.filledAtMs);
  let isFirst = true;
  let anchors = 0;
  for (;;) {
    const lease = payAtOnce(deps, task, candidate);
    if (lease !== null) return lease;
    const next = isFirst ? queue.lookAhead() : [];
    isFirst = false;
    const isLast = queue.isLastRound;
    const outcome = await deps.exchanger.ask({ entry, minute, deadlineAt: task.deadlineAt, next, isLast });
    if (outcome === 'anchor') anchors += 1;
    // Other requests may have taken the grant. For another anchor the plan is computed again, once.
    if (outcome === 'granted' || (outcome === 'anchor' && anchors === 1)) continue;
    if (outcome === 'unavailable') deps.headroom.skip(entry, 'unknown', minute);
    if (outcome === 'late') queue.postpone(candidate);
    return null;
  }
}

/** Seals the token. If that fails, the slots are given back. */
function seal(deps: FillLiveDeps, task: FillTask, { entry, creative }: Candidate): Fill {
  try {
    return makeFill(deps, task, { creative, campaign: entry.campaign, leaseRun: deps.exchanger.run });
  } catch (error) {
    freeSlots(deps, task, liveClaims(deps, task, entry));
    throw error;
  }
}

/** Gives back what a fill holds. Keeps only what that needs, because many fills of the last second are kept. */
function undoOf(
  deps: FillLiveDeps,
  { requestId, request, session, slot, time }: FillTask,
  paid: { readonly candidate: Candidate; readonly lease: Lease },
): () => void {
  const filled: FilledRequest = { requestId, request, session, slot, time };
  let isUndone = false;
  return () => {
    if (isUndone) return;
    isUndone = true;
    giveBack(deps, filled, paid);
    freeSlots(deps, filled, liveClaims(deps, filled, paid.candidate.entry));
  };
}

/** Returns the price to the wallet for the next request, even if the campaign got a refusal in the meantime. */
function giveBack(
  { wallet, headroom }: FillLiveDeps,
  { time }: FilledRequest,
  { candidate: { entry }, lease }: { readonly candidate: Candidate; readonly lease: Lease },
): void {
  wallet.giveBack(lease, entry, time.filledAtMs);
  headroom.retry(entry.campaign.id);
}
