/** Signals within this time are one request: a terminal and npm both pass the same Ctrl-C on. */
const SAME_WISH_MS = 700;

/** Thrown to leave a start that is asked to stop. It is no fault. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/**
 * Listens for SIGINT, SIGTERM, SIGHUP and the end of a parent process with a channel. The first aborts the returned signal; a
 * later one calls `force`.
 */
export function listenForStop(force: () => void): AbortSignal {
  const stopping = new AbortController();
  let firstAtMs = 0;
  const wish = (): void => {
    const nowMs = Date.now();
    if (!stopping.signal.aborted) {
      firstAtMs = nowMs;
      stopping.abort();
    } else if (nowMs - firstAtMs > SAME_WISH_MS) force();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, wish);
  if (process.channel !== undefined) process.on('disconnect', () => stopping.abort());
  return stopping.signal;
}

/** The work's result; throws {@link StopRequested} as soon as a stop is requested. */
export async function unlessStopped<Result>(stopping: AbortSignal, work: Promise<Result>): Promise<Result> {
  let listener = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    listener = () => reject(new StopRequested());
    if (stopping.aborted) listener();
    else stopping.addEventListener('abort', listener, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stopping.removeEventListener('abort', listener);
    work.catch(() => undefined);
  }
}

/** Resolves when a stop is requested. */
export function stopWished(stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) resolve();
    else stopping.addEventListener('abort', () => resolve(), { once: true });
  });
}
