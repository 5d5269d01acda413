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

/** One event for one webhook, which is not over. */
export interface Notice {
  /** The same in every attempt. */
  readonly id: string;
  readonly url: string;
  /** JSON of what happened. */
  readonly event: string;
  /** That were made before. */
  readonly attempts: number;
}

/** Most attempts of a notice. */
export const ATTEMPTS_MAX = 14;
/** The pause after the first failed attempt. Later ones double; 23 hours in all. */
export const FIRST_PAUSE_MS = 10_000;

/** The body of a notice: its id, and what happened. Every attempt sends the same text. */
export function bodyOf({ id, event }: Pick<Notice, 'id' | 'event'>): string {
  return JSON.stringify({ id, ...(JSON.parse(event) as object) });
}

/** Whether an attempt was the last one. `attempts` counts those before it. */
export function isLastAttempt({ attempts }: Pick<Notice, 'attempts'>): boolean {
  return attempts + 1 >= ATTEMPTS_MAX;
}
