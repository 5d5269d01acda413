import { systemTimers, type Timers } from '@placard/service-kit';

/** Watches whether an instance still answers. */
export interface Watch {
  /** Aborted when the instance has answered none of {@link MISSED_MAX} probes in a row. */
  readonly lost: AbortSignal;
  /** Ends the watch. */
  close(): void;
}

/** Pause between two probes, in milliseconds. */
const PAUSE_MS = 1_000;
/** Longest wait for an answer, in milliseconds. */
const PROBE_MS_MAX = 2_000;
/** With so many seconds, a process that is started again after a crash is not taken for lost. */
const MISSED_MAX = 20;

/** Probes an instance each second. `probe` says whether there was an answer, and never rejects. */
export function watchInstance(probe: () => Promise<boolean>, timers: Timers = systemTimers): Watch {
  const lost = new AbortController();
  let missed = 0;
  let isClosed = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    missed = (await probe()) ? 0 : missed + 1;
    if (missed >= MISSED_MAX) lost.abort();
    else if (!isClosed) wait();
  };
  const wait = (): void => {
    cancel = timers.after(PAUSE_MS, () => void look());
  };
  wait();
  return {
    lost: lost.signal,
    close: () => {
      isClosed = true;
      cancel();
    },
  };
}

/** Asks the gateway at an address whether it lives. Any answer is one, whatever its status. */
export async function hasAnswer(gatewayUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS_MAX);
    await (await fetch(new URL('/healthz', gatewayUrl), { signal })).text();
    return true;
  } catch {
    return false;
  }
}
