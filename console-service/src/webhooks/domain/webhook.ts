/** An address to which events are sent. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Epoch ms. */
  readonly createdAtMs: number;
}

/** Most webhooks of an installation. */
export const WEBHOOKS_MAX = 20;

/** What became of a notice. */
export interface NoticeState {
  /** Why the last attempt failed; null: none has failed. */
  readonly fault: string | null;
  readonly attempts: number;
}

/** One event for one webhook, which is not over. */
export interface Notice extends NoticeState {
  /** The same in every attempt. */
  readonly id: string;
  readonly url: string;
  /** JSON of what happened. */
  readonly event: string;
}

/** A notice is given up after this many failed attempts … */
export const ATTEMPTS_MAX = 14;
/** … whose pauses double from this one on: 23 hours in all. */
export const FIRST_PAUSE_MS = 10_000;

/** The body of a notice: its id, and what happened. Every attempt sends the same text. */
export function bodyOf({ id, event }: Pick<Notice, 'id' | 'event'>): string {
  return JSON.stringify({ id, ...(JSON.parse(event) as object) });
}

/** Whether an attempt was the last one. `attempts` counts those before it. */
export function isLastAttempt({ attempts }: NoticeState): boolean {
  return attempts + 1 >= ATTEMPTS_MAX;
}
