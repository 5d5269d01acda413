import { makeBoundedMap } from '../background/index.js';
import { SECOND_MS, type Clock } from '../pure/index.js';
import type { CallbackResult, PostCallback } from './post-callback.js';

/** How long a host is not called after an attempt without an answer. */
export const SILENCE_MS = 10 * SECOND_MS;
/** Most hosts that are remembered. */
const HOSTS_MAX = 10_000;

interface Silence {
  /** Epoch ms. */
  readonly untilMs: number;
  /** One attempt after the silence is being made. */
  readonly isTried: boolean;
}

const NOT_CALLED: CallbackResult = {
  isDelivered: false,
  isSilent: true,
  reason: 'The receiver gave no answer to other messages just before.',
};

/**
 * Does not call a host again for ten seconds after an attempt without an answer, and then with one attempt at a time until it
 * answers. An attempt without an answer takes ten seconds: so a silent receiver does not hold up the messages to others.
 */
export function spareSilentHosts(post: PostCallback, clock: Clock): PostCallback {
  const silences = makeBoundedMap<string, Silence>(HOSTS_MAX);
  return async (callback) => {
    const { host } = new URL(callback.url);
    const silence = silences.get(host);
    if (silence !== undefined) {
      if (silence.isTried || clock.now() < silence.untilMs) return NOT_CALLED;
      silences.set(host, { ...silence, isTried: true });
    }
    const result = await post(callback);
    if (result.isDelivered || !result.isSilent) silences.delete(host);
    else silences.set(host, { untilMs: clock.now() + SILENCE_MS, isTried: false });
    return result;
  };
}
