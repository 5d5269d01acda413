import { appError } from '@placard/service-kit';
import type { AppId, CatalogReader, Clock, PlacementCode, SessionId } from '@placard/service-kit/pure';
import type { ReservedFill } from '../domain/budget.js';
import { campaignUnit, placementUnit, shownCountsUntil } from '../domain/caps.js';
import type { BudgetStore } from '../store/budget-store.js';
import type { CapStore } from '../store/cap-store.js';
import type { BudgetOutlook } from './budget-outlook.js';

/** What became of a fill. Rulings: "Answers are final". */
export interface FillFateNote extends ReservedFill {
  readonly fate: 'shown' | 'suspicious';
  readonly sessionId: SessionId;
  readonly sessionExpiresAtMs: number;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly isTest: boolean;
}

/** What taking in fates needs. */
export interface CommitDeps {
  readonly budgets: Pick<BudgetStore, 'release' | 'markShown'>;
  readonly caps: Pick<CapStore, 'settle'>;
  readonly outlook: Pick<BudgetOutlook, 'forget'>;
  readonly catalog: Pick<CatalogReader, 'placement' | 'campaign'>;
  readonly clock: Clock;
}

/** Takes in what became of fills; the same may come again. Error `unavailable` when not all could be taken in. */
export type CommitReservations = (notes: readonly FillFateNote[]) => Promise<void>;

/** Makes the use case. */
export function makeCommitReservations(deps: CommitDeps): CommitReservations {
  return async (notes) => {
    const results = await Promise.allSettled(
      notes.flatMap((note) => [settleMoney(deps, note), settleCaps(deps, note)]),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw appError('unavailable', 'Not all fates could be taken in.', { cause: failed.reason });
    }
  };
}

/** Test ads reserve no money. */
async function settleMoney(deps: CommitDeps, note: FillFateNote): Promise<void> {
  if (note.isTest) return;
  if (note.fate === 'shown') {
    await deps.budgets.markShown(note, deps.clock.now());
    return;
  }
  const isGivenBack = await deps.budgets.release(note);
  if (isGivenBack) deps.outlook.forget(note.campaignId);
}

/** A shown fill counts for its whole period, a suspicious one no longer. */
async function settleCaps(deps: CommitDeps, note: FillFateNote): Promise<void> {
  const nowMs = deps.clock.now();
  if (nowMs >= note.sessionExpiresAtMs) return;
  const caps = [
    {
      unit: placementUnit(note.placement),
      cap: deps.catalog.placement(note.appId, note.placement)?.frequencyCap ?? null,
    },
    {
      unit: campaignUnit(note.campaignId),
      cap: deps.catalog.campaign(note.campaignId)?.frequencyCap ?? null,
    },
  ];
  const units = caps.flatMap(({ unit, cap }) => {
    if (note.fate === 'suspicious') return [{ unit, countsUntilMs: 0 }];
    if (cap === null) return [];
    const countsUntilMs = shownCountsUntil(cap.period, note.filledAtMs, note.sessionExpiresAtMs);
    return [{ unit, countsUntilMs }];
  });
  if (units.length === 0) return;
  await deps.caps.settle({ sessionId: note.sessionId, requestId: note.requestId }, units, nowMs);
}
