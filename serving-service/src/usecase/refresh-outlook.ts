import { dayOf, type Clock } from '@placard/service-kit/pure';
import { RESERVE_CANDIDATES_MAX, toReserveItem } from '../domain/budget.js';
import type { CampaignIndex } from '../domain/campaign-index.js';
import type { IndexedCampaign } from '../domain/indexed-campaign.js';
import type { BudgetStore } from '../store/budget-store.js';
import type { BudgetOutlook } from './budget-outlook.js';

/** Campaigns that are looked at again in one round. */
export const PEEK_CAMPAIGNS_MAX = 2_048;

/** What looking again needs. */
export interface RefreshDeps {
  readonly budgets: Pick<BudgetStore, 'peek' | 'shardOf'>;
  readonly outlook: BudgetOutlook;
  readonly index: Pick<CampaignIndex, 'get'>;
  readonly clock: Clock;
}

/** Looks again at campaigns that could not reserve; who can now is tried with the next request. */
export type RefreshOutlook = () => Promise<void>;

/** Makes the use case. Rejects when the store cannot be reached. */
export function makeRefreshOutlook(deps: RefreshDeps): RefreshOutlook {
  return async () => {
    const nowMs = deps.clock.now();
    deps.outlook.startDay(dayOf(nowMs));
    const current: IndexedCampaign[] = [];
    for (const entry of deps.outlook.takeSpent(PEEK_CAMPAIGNS_MAX)) {
      if (deps.index.get(entry.campaign.id) === entry) current.push(entry);
      else deps.outlook.forget(entry.campaign.id);
    }
    await Promise.all(inChunks(deps, current).map((chunk) => lookAgain(deps, chunk, nowMs)));
  };
}

async function lookAgain(deps: RefreshDeps, chunk: readonly IndexedCampaign[], nowMs: number): Promise<void> {
  const items = chunk.map((entry) => toReserveItem(entry, nowMs, deps.outlook.paceOf(entry)));
  const findings = await deps.budgets.peek(items, { filledAtMs: nowMs, expiresAtMs: nowMs });
  for (const [at, entry] of chunk.entries()) {
    const finding = findings[at];
    if (finding === undefined) continue;
    // What is missing or has another anchor is settled by the next request that tries it.
    if (finding.verdict === 'unknown' || finding.verdict === 'anchor') deps.outlook.forget(entry.campaign.id);
    else deps.outlook.note(entry, finding);
  }
}

/** Pieces of one shard and at most eight campaigns each. */
function inChunks(deps: RefreshDeps, entries: readonly IndexedCampaign[]): IndexedCampaign[][] {
  const chunks: IndexedCampaign[][] = [];
  const open = new Map<number, IndexedCampaign[]>();
  for (const entry of entries) {
    const shard = deps.budgets.shardOf(entry.advertiser.id);
    let chunk = open.get(shard);
    if (chunk === undefined || chunk.length >= RESERVE_CANDIDATES_MAX) {
      chunk = [];
      chunks.push(chunk);
      open.set(shard, chunk);
    }
    chunk.push(entry);
  }
  return chunks;
}
