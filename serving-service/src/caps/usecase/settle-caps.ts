import { appError } from '@placard/service-kit';
import type { CatalogReader, Clock, ImpressionClaims } from '@placard/service-kit/pure';
import { campaignUnit, OPEN_UNIT, placementUnit, shownCountsUntil } from '../domain/caps.js';
import type { CapStore } from '../store/cap-store.js';

/** The outcome of a fill. Contract: docs/contract/final-answers.md#suspicious-impression. */
export interface FillOutcomeNote extends Pick<
  ImpressionClaims,
  | 'requestId'
  | 'sessionId'
  | 'sessionExpiresAtMs'
  | 'appId'
  | 'placement'
  | 'campaignId'
  | 'filledAtMs'
  | 'isTest'
> {
  readonly outcome: 'shown' | 'suspicious';
}

/** Dependencies of the use case. */
export interface SettleCapsDeps {
  readonly caps: Pick<CapStore, 'settle'>;
  readonly catalog: Pick<CatalogReader, 'placement' | 'campaign'>;
  readonly clock: Clock;
}

/**
 * Settles the outcomes of fills. Repeated outcomes change nothing. Error `unavailable` when some could not be settled.
 */
export type SettleCaps = (notes: readonly FillOutcomeNote[]) => Promise<void>;

/** Makes the use case. */
export function makeSettleCaps(deps: SettleCapsDeps): SettleCaps {
  return async (notes) => {
    const results = await Promise.allSettled(notes.map((note) => settleOne(deps, note)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw appError('unavailable', 'Not all outcomes could be taken in.', { cause: failed.reason });
    }
  };
}

/** A shown fill counts for its whole period. A suspicious fill no longer counts. Neither is open any more. */
async function settleOne(deps: SettleCapsDeps, note: FillOutcomeNote): Promise<void> {
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
    if (note.outcome === 'suspicious') return [{ unit, countsUntilMs: 0 }];
    if (cap === null) return [];
    const countsUntilMs = shownCountsUntil(cap.period, note.filledAtMs, note.sessionExpiresAtMs);
    return [{ unit, countsUntilMs }];
  });
  if (!note.isTest) units.push({ unit: OPEN_UNIT, countsUntilMs: 0 });
  if (units.length === 0) return;
  await deps.caps.settle({ sessionId: note.sessionId, requestId: note.requestId }, units, nowMs);
}
