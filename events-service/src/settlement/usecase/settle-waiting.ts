import { messageOf, toAppError } from '@placard/service-kit';
import type { SettledGroup, SettlementStore, WaitingKey } from '../store/settlement.js';

/** What settling needs. */
export interface SettleWaitingDeps {
  readonly store: Pick<SettlementStore, 'settle' | 'nextWaiting'>;
  /** Most rows of one transaction. */
  readonly rowsMax: number;
  /** Most transactions of one run. */
  readonly groupsMax: number;
  readonly onSettled: (group: SettledGroup) => void;
  /** Receives a row that cannot be settled, with the reason: someone must look at it. */
  readonly onStuck: (key: WaitingKey, reason: string) => void;
  /** True when the process stops: the run ends after its current group. */
  readonly isStopping: () => boolean;
}

/**
 * Settles what waits until nothing is left that is not held by another worker. A group that fails for a lasting reason
 * is tried in halves, so that one bad row holds up no other. Error `unavailable`: the rest waits for the next run.
 * Contract: docs/contract/money.md#exactly-once.
 */
export function makeSettleWaiting(deps: SettleWaitingDeps): () => Promise<void> {
  return async () => {
    let rowsMax = deps.rowsMax;
    let after: WaitingKey | null = null;
    for (let group = 0; group < deps.groupsMax && !deps.isStopping(); group += 1) {
      try {
        const settled: SettledGroup = await deps.store.settle({ rowsMax, after });
        if (settled.rows > 0) deps.onSettled(settled);
        // Newer events trigger the next run, so that a trickle does not become many small transactions.
        if (settled.rows < rowsMax) return;
        rowsMax = Math.min(deps.rowsMax, rowsMax * 2);
      } catch (error) {
        if (toAppError(error).code === 'unavailable') throw error;
        if (rowsMax > 1) {
          rowsMax = Math.ceil(rowsMax / 2);
          continue;
        }
        const stuck = await deps.store.nextWaiting(after);
        if (stuck === null) return;
        deps.onStuck(stuck, messageOf(error));
        after = stuck;
      }
    }
  };
}
