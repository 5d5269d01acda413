import { makeSingleFlight } from './single-flight.js';

/** Dependencies of {@link makeNumberedBatches}. */
export interface NumberedBatchesDeps<Batch> {
  /** Takes the items collected since the last call, in batches. Empty: there are none. */
  readonly take: () => readonly Batch[];
  /** Sends a batch. Resolves when the receiver has acknowledged it. The receiver must count each number once. */
  readonly send: (batch: Batch, sequence: number) => Promise<unknown>;
}

/** Sends collected items so that they count once, even when an answer is lost. */
export interface NumberedBatches<Batch> {
  /**
   * Resolves when all items collected before this call are acknowledged. Rejects when a batch could not be sent. The next flush
   * first sends the same batches with the same numbers.
   */
  flush(): Promise<void>;
  /** Batches that were taken and are not acknowledged. No further batch is taken while there is one. */
  readonly unacknowledged: readonly Batch[];
}

/** Makes {@link NumberedBatches}. Numbers begin with 1. */
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
