import { dayOf, dayToIso, type Clock } from '@placard/service-kit/pure';
import type { PartitionState, PartitionStore } from '../store/partitions.js';

/** Most partitions that one run drops. After the retention was shortened, several runs drop the rest. */
const DROPPED_PER_RUN_MAX = 10;

/** What {@link makeDropOldEvents} needs. */
export interface DropOldEventsDeps {
  readonly partitions: Pick<PartitionStore, 'olderThan' | 'state' | 'drop'>;
  /** Days that are kept behind the current one. */
  readonly keptDays: number;
  readonly clock: Clock;
  /** Receives each day (`YYYY-MM-DD`) that was dropped. */
  readonly onDropped: (day: string) => void;
  /** Receives each day that is old enough and must be kept, with the reason. */
  readonly onHeld: (day: string, reason: Exclude<PartitionState, 'settled'>) => void;
  /** Receives the number of days that were old enough in this run and had to be kept. */
  readonly onHeldCount: (days: number) => void;
}

/**
 * Drops the partitions that are older than the retention, oldest first. A partition is kept while a row waits for
 * settlement, or when stored, accepted and booked impressions differ. Reports and ledger do not change.
 * Error `unavailable`: the rest is dropped by a later run.
 */
export function makeDropOldEvents(deps: DropOldEventsDeps): () => Promise<void> {
  const { partitions, keptDays, clock } = deps;
  return async () => {
    let droppedDays = 0;
    let heldDays = 0;
    for (const day of await partitions.olderThan({ today: dayOf(clock.now()), keptDays })) {
      if (droppedDays >= DROPPED_PER_RUN_MAX) break;
      const state = await partitions.state(day);
      if (state !== 'settled') {
        heldDays += 1;
        deps.onHeld(dayToIso(day), state);
      } else if (await partitions.drop(day)) {
        droppedDays += 1;
        deps.onDropped(dayToIso(day));
      }
    }
    deps.onHeldCount(heldDays);
  };
}
