import type {
  CatalogServiceService,
  WatchRequest,
  WatchResponse,
} from '@placard/protos/catalog/v1/catalog.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../process/errors.js';
import type { RpcClient } from '../grpc/definitions.js';
import type { Random } from '../pure/index.js';

/** Time limits of a watch, in milliseconds. */
export interface WatchTiming {
  /** A stream that is silent for longer counts as dead. */
  readonly silenceMsMax: number;
  /** The first pause after a break. It doubles with each break in a row, up to the maximum; half of it is random. */
  readonly restMsMin: number;
  readonly restMsMax: number;
}

/** Input and callbacks of a watch. */
export interface WatchOptions {
  readonly client: RpcClient<CatalogServiceService>;
  readonly random: Random;
  readonly timing: WatchTiming;
  readonly signal: AbortSignal;
  /** Makes the request of the next stream. */
  readonly request: () => WatchRequest;
  /** False ends this stream. The next one begins after a pause. */
  readonly onMessage: (message: WatchResponse) => boolean;
  /** `breaksInRow` is 1 when the broken stream had sent a message. */
  readonly onBreak: (reason: string, breaksInRow: number) => void;
}

/** Watches until the signal is aborted and opens as many streams as needed. Never rejects. */
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

// The signal changes while the loop waits. Control-flow analysis does not see that.
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
