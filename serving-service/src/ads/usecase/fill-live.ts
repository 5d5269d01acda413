import { minuteOf } from '@placard/service-kit/pure';
import type { Lease } from '../../budgets/domain/lease.js';
import type { Candidate } from '../../selection/domain/select.js';
import type { Wallet } from '../../budgets/domain/wallet.js';
import type { CapStore } from '../../caps/store/cap-store.js';
import type { BudgetOutlook } from '../../budgets/usecase/headroom-memory.js';
import { CandidateLine, type LineDeps } from './candidate-queue.js';
import { claimSlots, freeSlots, liveClaims, type ClaimDeps } from '../../caps/usecase/claim-slots.js';
import type { LeaseExchanger } from '../../budgets/usecase/exchange-leases.js';
import type { FillOutcome, FillTask } from './fill-task.js';
import { makeFill, type Fill, type MakeFillDeps } from './make-fill.js';

/** What filling needs. */
export interface FillDeps extends MakeFillDeps, ClaimDeps, LineDeps {
  readonly caps: CapStore;
  readonly wallet: Wallet;
  readonly exchanger: LeaseExchanger;
  readonly outlook: BudgetOutlook;
}

/**
 * Step 8: the first candidate whose price is in the wallet and for which the session has room is filled, if the fraud cap
 * lets the request pass. Rejects when there is no verdict or the token cannot be sealed; nothing is held then.
 * Contract: docs/contract/selection.md#selection-order.
 */
export async function fillLive(deps: FillDeps, task: FillTask): Promise<FillOutcome> {
  const line = new CandidateLine(deps, task);
  const isWary = deps.wary.has(task.session);
  for (let candidate = line.next(); candidate !== null; candidate = line.next()) {
    const paid = isWary ? null : payAtOnce(deps, task, candidate);
    const lease = paid ?? (await payWhenSure(deps, task, { candidate, line }));
    if (lease === null) continue;
    let fill: Fill | null = null;
    try {
      const refusal = await claimSlots(deps, task, liveClaims(deps, task, candidate.entry));
      if (refusal === null) fill = seal(deps, task, candidate);
      else line.refuse(refusal);
    } finally {
      if (fill === null) giveBack(deps, task, { candidate, lease });
    }
    if (fill !== null) return { kind: 'filled', fill };
  }
  return line.outcome();
}

/** Takes the candidate's price from the wallet; null: it is not there. */
function payAtOnce({ wallet }: FillDeps, { time }: FillTask, { entry }: Candidate): Lease | null {
  const { id, costNanos } = entry.campaign;
  return wallet.take(id, minuteOf(time.filledAtMs), costNanos, time.filledAtMs);
}

/**
 * Waits for whatever can refuse the request, and then asks for money while there is none: nobody is asked for a request that is
 * refused. Null: the candidate is no longer left, or gets no money.
 */
async function payWhenSure(
  deps: FillDeps,
  task: FillTask,
  { candidate, line }: { readonly candidate: Candidate; readonly line: CandidateLine },
): Promise<Lease | null> {
  await line.learn();
  if (!line.isLeft(candidate)) return null;
  const { entry } = candidate;
  const minute = minuteOf(task.time.filledAtMs);
  let isFirst = true;
  let anchors = 0;
  for (;;) {
    const lease = payAtOnce(deps, task, candidate);
    if (lease !== null) return lease;
    const next = isFirst ? line.lookAhead() : [];
    isFirst = false;
    const outcome = await deps.exchanger.ask({ entry, minute, deadlineAt: task.deadlineAt, next });
    if (outcome === 'anchor') anchors += 1;
    // Others may have taken what was granted; and for another anchor the plan is made anew, once.
    if (outcome === 'granted' || (outcome === 'anchor' && anchors === 1)) continue;
    if (outcome === 'unavailable') deps.outlook.rest(entry, 'unknown', minute);
    return null;
  }
}

/** Seals the token; when that fails, the slots are given back. */
function seal(deps: FillDeps, task: FillTask, { entry, creative }: Candidate): Fill {
  try {
    return makeFill(deps, task, { creative, campaign: entry.campaign, leaseRun: deps.exchanger.run });
  } catch (error) {
    freeSlots(deps, task, liveClaims(deps, task, entry));
    throw error;
  }
}

/** The money is there for the next request, also when the campaign was refused more meanwhile. */
function giveBack(
  { wallet, outlook }: FillDeps,
  { time }: FillTask,
  { candidate: { entry }, lease }: { readonly candidate: Candidate; readonly lease: Lease },
): void {
  wallet.giveBack(lease, entry, time.filledAtMs);
  outlook.wake(entry.campaign.id);
}
