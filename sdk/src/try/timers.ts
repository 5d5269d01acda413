import { elapsedMs, leftMs, spanUntil, type Clock, type Moment, type Span } from '../domain/time.js';
import type { AdAnswer } from '../domain/wire.js';
import type { CallRecord } from '../io/api.js';
import type { EventOutcome } from '../io/outbox.js';
import type { Session } from '../io/sessions.js';

/** A row of the timers. */
export type TimerRow = readonly [name: string, value: string];

/** What runs out on the phone, and how its last events ended. */
export class Timers {
  readonly #clock: Clock;
  /** The life of the last ad; null without one. */
  #adLife: Span | null = null;
  /** When the last ad was asked for; null before the first. */
  #askedAt: Moment | null = null;
  #lastEvent = 'none';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a finished call. */
  noteCall({ path, answer, sentAt, serverMs }: CallRecord): void {
    if (path !== '/ads/request') return;
    this.#askedAt = sentAt;
    const { status, ad } = (answer ?? {}) as Partial<Extract<AdAnswer, { status: 'fill' }>>;
    this.#adLife = status === 'fill' && ad ? spanUntil(ad.expires_at, sentAt, serverMs) : null;
  }

  /** Notes the final answer to an event. */
  noteEvent({ event, isAccepted, reason }: EventOutcome): void {
    this.#lastEvent = `${event.kind} ${isAccepted ? 'accepted' : `not accepted: ${reason ?? 'unknown'}`}`;
  }

  /**
   * The rows. `session`: null before the first. `refreshSeconds`: null when no banner is shown. `adState`: null when no
   * full-screen ad was loaded for the chosen placement.
   */
  rows(
    session: Session | null,
    { refreshSeconds, adState }: { readonly refreshSeconds: number | null; readonly adState: string | null },
  ): readonly TimerRow[] {
    return [
      ['session token', session === null ? '–' : this.#left(session.life)],
      ['configuration', session === null ? '–' : this.#left(configurationOf(session))],
      ['full-screen ad', adState ?? '–'],
      ['ad may be shown for', this.#adLife === null ? '–' : this.#left(this.#adLife)],
      ['next banner', refreshSeconds === null ? '–' : this.#untilNextBanner(refreshSeconds)],
      ['last event', this.#lastEvent],
    ];
  }

  #untilNextBanner(refreshSeconds: number): string {
    if (this.#askedAt === null) return '–';
    const leftSeconds = refreshSeconds - elapsedMs(this.#clock, this.#askedAt) / 1_000;
    return leftSeconds > 0 ? countdown(leftSeconds) : 'due';
  }

  #left(span: Span): string {
    const spanMs = leftMs(this.#clock, span);
    return spanMs > 0 ? countdown(spanMs / 1_000) : 'over';
  }
}

/** Hours, minutes and seconds, such as `0:29:59`. */
function countdown(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':');
}

/** The time in which the configuration is used as it is. */
function configurationOf({ startedAt, config }: Session): Span {
  return { start: startedAt, lengthMs: config.config_ttl_seconds * 1_000 };
}
