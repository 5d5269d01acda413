import type {
  CatalogServiceService,
  WatchRequest,
  WatchResponse,
} from '@placard/protos/catalog/v1/catalog.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../process/errors.js';
import type { RpcClient } from '../grpc/definitions.js';
import type { Random } from '../pure/index.js';

/** How long the reader waits for what, in milliseconds. */
export interface WatchTiming {
  /** A stream that is silent for longer is dead. */
  readonly silenceMsMax: number;
  /** The first rest after a break; doubled with each break in a row, up to the longest, half of it by chance. */
  readonly restMsMin: number;
  readonly restMsMax: number;
}

/** What a watch needs and tells. */
export interface WatchOptions {
  readonly client: RpcClient<CatalogServiceService>;
  readonly random: Random;
  readonly timing: WatchTiming;
  readonly signal: AbortSignal;
  /** What to ask for next. */
  readonly request: () => WatchRequest;
  /** False ends this stream; the next one begins after a rest. */
  readonly onMessage: (message: WatchResponse) => boolean;
  /** `breaksInRow` is 1 when the stream that broke had said something. */
  readonly onBreak: (reason: string, breaksInRow: number) => void;
}

/** Watches until the signal is aborted, over as many streams as it takes. Never rejects. */
export async function watchForEver(options: WatchOptions): Promise<void> {
  let breaksInRow = 0;
  while (!options.signal.aborted) {
    const { reason, hasSpoken } = await readStream(options);
    if (isAborted(options.signal)) return;
    breaksInRow = hasSpoken ? 1 : breaksInRow + 1;
    options.onBreak(reason, breaksInRow);
    await rest(options, breaksInRow);
  }
}

// The signal changes while the loop waits, which control-flow analysis does not know.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

async function readStream(options: WatchOptions): Promise<{ reason: string; hasSpoken: boolean }> {
  const stream = new AbortController();
  const stop = (): void => stream.abort();
  options.signal.addEventListener('abort', stop, { once: true });
  const watchdog = setTimeout(stop, options.timing.silenceMsMax);
  let hasSpoken = false;
  try {
    for await (const message of options.client.watch(options.request(), stream.signal)) {
      watchdog.refresh();
      hasSpoken = true;
      if (!options.onMessage(message)) return { reason: 'only a snapshot can help', hasSpoken };
    }
    return { reason: stream.signal.aborted ? 'the stream fell silent' : 'the stream ended', hasSpoken };
  } catch (error) {
    return { reason: messageOf(error), hasSpoken };
  } finally {
    clearTimeout(watchdog);
    options.signal.removeEventListener('abort', stop);
  }
}

async function rest({ timing, random, signal }: WatchOptions, breaksInRow: number): Promise<void> {
  const longest = Math.min(timing.restMsMin * 2 ** Math.min(breaksInRow - 1, 16), timing.restMsMax);
  const restMs = longest / 2 + (random.next() * longest) / 2;
  await sleep(restMs, undefined, { signal }).catch(() => undefined);
}
