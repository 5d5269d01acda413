/** What {@link makeOutgoing} needs. */
export interface OutgoingDeps<Item> {
  /** Sends a batch; a rejection keeps the batch for the next attempt, so sending must be safe to repeat. */
  readonly send: (items: readonly Item[]) => Promise<void>;
  /** Most items that wait. Beyond it the oldest are dropped. */
  readonly itemsMax: number;
  /** Most items of one batch. */
  readonly batchMax: number;
  /** Least time between the starts of two batches, milliseconds; 0: the next starts when the one before has ended. */
  readonly gapMs: number;
  /** Wait after a failed batch, milliseconds. */
  readonly retryMs: number;
  /** Receives how many items were dropped. */
  readonly onDropped: (items: number) => void;
}

/** Sends items to another service in the background. The queue is bounded, and no answer to a client waits for it. */
export interface Outgoing<Item> {
  push(items: readonly Item[]): void;
  /** Items that wait, including those of a running batch. */
  readonly size: number;
  /** Sends all waiting items, once, and drops those that fail. For the end of the process. */
  close(): Promise<void>;
}

/** Makes {@link Outgoing}. */
export function makeOutgoing<Item>(options: OutgoingDeps<Item>): Outgoing<Item> {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<boolean> | null = null;
  let isClosed = false;

  const sendBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, options.batchMax);
    try {
      await options.send(batch);
      waiting = waiting.slice(batch.length);
      return true;
    } catch {
      return false;
    }
  };

  const schedule = (delayMs: number): void => {
    if (timer !== null || sending !== null || isClosed || waiting.length === 0) return;
    timer = setTimeout(() => {
      timer = null;
      sending = sendBatch();
      void sending.then((isSent) => {
        sending = null;
        schedule(isSent ? options.gapMs : options.retryMs);
      });
    }, delayMs);
  };

  const trim = (): void => {
    const excess = waiting.length - options.itemsMax;
    // A running batch stays at the front, so that its items are not removed twice.
    if (excess <= 0 || sending !== null) return;
    waiting = waiting.slice(excess);
    options.onDropped(excess);
  };

  return {
    push(items) {
      if (items.length === 0) return;
      const free = sending === null ? items.length : Math.max(0, options.itemsMax - waiting.length);
      if (free < items.length) options.onDropped(items.length - free);
      waiting.push(...items.slice(0, free));
      trim();
      schedule(options.gapMs);
    },
    get size() {
      return waiting.length;
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await sending;
      while (waiting.length > 0 && (await sendBatch()));
      if (waiting.length > 0) options.onDropped(waiting.length);
      waiting = [];
    },
  };
}
