import { makeSingleFlight } from './single-flight.js';

/** What {@link makeNumberedBatches} needs. */
export interface NumberedBatchesDeps<Batch> {
  /** Takes what was collected since the last call, in batches; none when that is nothing. */
  readonly take: () => readonly Batch[];
  /** Sends a batch; resolves when the receiver has it. The receiver must take each number once only. */
  readonly send: (batch: Batch, sequence: number) => Promise<unknown>;
}

/** Sends what is collected so that it counts once, though an answer may be lost. */
export interface NumberedBatches<Batch> {
  /**
   * Resolves when everything that was collected before this call is acknowledged. Rejects when it could not be sent: the next
   * flush sends the same batches with the same numbers first.
   */
  flush(): Promise<void>;
  /** Batches that were taken and are not acknowledged; while there is one, no other is taken. */
  readonly unacknowledged: readonly Batch[];
}

/** Makes {@link NumberedBatches}; numbers begin with 1. */
export function makeNumberedBatches<Batch>({
  take,
  send,
}: NumberedBatchesDeps<Batch>): NumberedBatches<Batch> {
  let unacknowledged: readonly Batch[] = [];
  let sequence = 1;
  const sendTaken = async (): Promise<void> => {
    for (let [batch] = unacknowledged; batch !== undefined; [batch] = unacknowledged) {
      await send(batch, sequence);
      sequence += 1;
      unacknowledged = unacknowledged.slice(1);
    }
  };
  const sending = makeSingleFlight(async () => {
    await sendTaken();
    unacknowledged = take();
    await sendTaken();
  });
  return {
    flush: () => sending.run(),
    get unacknowledged() {
      return unacknowledged;
    },
  };
}
