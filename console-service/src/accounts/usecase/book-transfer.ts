import { toAppError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Ledger } from '../clients/ledger.js';
import type { Transfer } from '../domain/transfer-rules.js';
import type { TransferStore } from '../store/transfers.js';

/**
 * Asks the ledger for a transfer that is stored, and stores what became of it. Null: it is booked. Otherwise the reason why
 * it is not, and its reference is free. Errors `unavailable` and `deadline_exceeded`: the outcome is unknown, so ask again.
 */
export type BookTransfer = (transfer: Transfer) => Promise<string | null>;

/** What {@link makeBookTransfer} needs. */
export interface BookTransferDeps {
  readonly transfers: Pick<TransferStore, 'settle'>;
  readonly ledger: Pick<Ledger, 'recordTransfer'>;
  readonly clock: Clock;
}

/** Makes {@link BookTransfer}. */
export function makeBookTransfer({ transfers, ledger, clock }: BookTransferDeps): BookTransfer {
  const ask = async (transfer: Transfer): Promise<string | null> => {
    try {
      await ledger.recordTransfer(transfer);
      return null;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!REFUSALS.has(error.code)) throw error;
      return error.publicText;
    }
  };
  return (transfer) => transfers.settle(transfer, clock.now(), () => ask(transfer));
}

/** Codes of the ledger that another attempt does not change. */
const REFUSALS: ReadonlySet<string> = new Set(['failed_precondition', 'conflict', 'invalid_argument']);
