import { messageOf, toAppError } from '@placard/service-kit';
import type { SettledGroup, SettlementStore, WaitingKey } from '../store/settlement.js';

/** What {@link makeSettleWaiting} needs. */
export interface SettleWaitingDeps {
  readonly store: Pick<SettlementStore, 'settle' | 'nextWaiting'>;
  /** Most rows of one transaction. */
  readonly rowsMax: number;
  /** Most transactions of one run. */
  readonly groupsMax: number;
  readonly onSettled: (group: SettledGroup) => void;
  /** Receives a row that cannot be settled, with the reason. An operator must act. */
  readonly onStuck: (key: WaitingKey, reason: string) => void;
  /** True when the process stops: the run ends after its current group. */
  readonly isStopping: () => boolean;
}

/**
 * Settles waiting events until only rows that other workers hold are left. A group that fails for a lasting reason is tried
 * in halves, so that one bad row does not block the others. Error `unavailable`: the rest waits for the next run.
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
        // Newer events trigger the next run. Otherwise a trickle of events would become many small transactions.
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
