import { elapsedMs, leftMs, spanUntil, type Clock, type Moment, type Span } from '../domain/time.js';
import type { AdAnswer } from '../domain/wire.js';
import type { CallRecord } from '../io/api.js';
import type { EventOutcome } from '../io/outbox.js';
import type { Session } from '../io/sessions.js';

/** A row of the timers. */
export type TimerRow = readonly [name: string, value: string];

/** What the phone shows of the chosen placement. */
interface Shown {
  readonly placement: string | null;
  readonly refreshSeconds: number | null;
  readonly adState: string | null;
}

/** The last ad request of a placement. */
interface LastRequest {
  readonly askedAt: Moment;
  /** The life of its ad; null without one. */
  readonly adLife: Span | null;
}

/** What runs out on the phone, and how its last events ended. */
export class Timers {
  readonly #clock: Clock;
  readonly #lastOf = new Map<string, LastRequest>();
  #lastEvent = 'none';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a finished call. */
  noteCall({ path, request, answer, sentAt, serverMs }: CallRecord): void {
    if (path !== '/ads/request') return;
    const { placement } = request as { readonly placement: string };
    const { status, ad } = (answer ?? {}) as Partial<Extract<AdAnswer, { status: 'fill' }>>;
    const adLife = status === 'fill' && ad ? spanUntil(ad.expires_at, sentAt, serverMs) : null;
    this.#lastOf.set(placement, { askedAt: sentAt, adLife });
  }

  /** Notes the final answer to an event. */
  noteEvent({ event, isAccepted, reason }: EventOutcome): void {
    this.#lastEvent = `${event.kind} ${isAccepted ? 'accepted' : `not accepted: ${reason ?? 'unknown'}`}`;
  }

  /**
   * The rows. `session`: null before the first. `placement`: the chosen one; null when none is. `refreshSeconds`: null when
   * it shows no banner. `adState`: null when it has no full-screen ad.
   */
  rows(session: Session | null, { placement, refreshSeconds, adState }: Shown): readonly TimerRow[] {
    const last = this.#lastOf.get(placement ?? '');
    return [
      ['session token', session === null ? '–' : this.#left(session.life)],
      ['configuration', session === null ? '–' : this.#left(configurationOf(session))],
      ['full-screen ad', adState ?? '–'],
      ['ad may be shown for', last?.adLife ? this.#left(last.adLife) : '–'],
      ['next banner', last && refreshSeconds !== null ? this.#untilNextBanner(last, refreshSeconds) : '–'],
      ['last event', this.#lastEvent],
    ];
  }

  #untilNextBanner({ askedAt }: LastRequest, refreshSeconds: number): string {
    const leftSeconds = refreshSeconds - elapsedMs(this.#clock, askedAt) / 1_000;
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
function configurationOf({ configuredAt, config }: Session): Span {
  return { start: configuredAt, lengthMs: config.config_ttl_seconds * 1_000 };
}
