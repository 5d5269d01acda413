import { HOUR_MS, MINUTE_MS, type Random } from '@placard/service-kit/pure';

/** A session of a user, without its token. */
export interface Session {
  readonly createdAtMs: number;
  /** To one minute. */
  readonly lastUsedAtMs: number;
}

/** A session ends when it was not used for this time. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** A session ends at this age, whatever its use. */
export const SESSION_AGE_MS_MAX = 12 * HOUR_MS;

const BYTES = 32;
const TOKEN = /^pls_[0-9a-f]{64}$/;

/** A fresh token of a session: `pls_` and 64 hex digits, all unpredictable. */
export function makeSessionToken(random: Random): string {
  return `pls_${Buffer.from(random.bytes(BYTES)).toString('hex')}`;
}

/** Whether a text has the form of {@link makeSessionToken}. */
export function isSessionToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether a session lets its user in. */
export function isAlive({ createdAtMs, lastUsedAtMs }: Session, nowMs: number): boolean {
  return nowMs - lastUsedAtMs < SESSION_IDLE_MS && nowMs - createdAtMs < SESSION_AGE_MS_MAX;
}
