import { dayOf, dayToIso, type Clock } from '@placard/service-kit/pure';
import type { PartitionState, PartitionStore } from '../store/partitions.js';

/** Partitions that one run drops at most: a shorter retention takes hold step by step. */
const DROPPED_PER_RUN_MAX = 10;

/** What dropping needs. */
export interface DropOldEventsDeps {
  readonly partitions: Pick<PartitionStore, 'olderThan' | 'state' | 'drop'>;
  /** Days that are kept behind the current one. */
  readonly keptDays: number;
  readonly clock: Clock;
  /** Receives each day (`YYYY-MM-DD`) that was dropped. */
  readonly onDropped: (day: string) => void;
  /** Receives each day that is old enough and must stay, with the reason. */
  readonly onHeld: (day: string, reason: Exclude<PartitionState, 'settled'>) => void;
  /** How many days are old enough and had to stay in this run. */
  readonly onHeldCount: (days: number) => void;
}

/**
 * Drops the partitions that are older than the retention, oldest first. One with a row that waits for settlement stays, and
 * so does one whose rows are not what was accepted and booked. Reports and ledger are not touched.
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
