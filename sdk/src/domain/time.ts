/** The clocks of the device. */
export interface Clock {
  /** Epoch milliseconds. Users and networks set this clock forward and back. */
  readonly wallMs: () => number;
  /** Milliseconds since any start. It never goes back, and some phones stop it while they sleep. */
  readonly steadyMs: () => number;
}

/** A moment on both clocks. */
export interface Moment {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/** A span of time that has begun. */
export interface Span {
  readonly start: Moment;
  readonly lengthMs: number;
}

/** The present moment. */
export function momentOf(clock: Clock): Moment {
  return { wallMs: clock.wallMs(), steadyMs: clock.steadyMs() };
}

/**
 * Milliseconds since a moment, at least 0: what the faster of both clocks says. So neither a clock that was set back nor
 * one that slept lengthens a life. A clock that was set forward shortens it, which is harmless.
 */
export function elapsedMs(clock: Clock, since: Moment): number {
  return Math.max(0, clock.wallMs() - since.wallMs, clock.steadyMs() - since.steadyMs);
}

/** Milliseconds until a span ends; 0 when it is over. */
export function leftMs(clock: Clock, { start, lengthMs }: Span): number {
  return Math.max(0, lengthMs - elapsedMs(clock, start));
}

/** The server's time comes in whole seconds, and an event needs time to arrive. */
const MARGIN_MS = 2_000;

/**
 * The span from the start of a call until shortly before an instant of its answer. `serverMs` is the server's time in the
 * answer; without it (null), the device's wall clock is compared with the instant.
 */
export function spanUntil(instant: string, start: Moment, serverMs: number | null): Span {
  const lengthMs = Date.parse(instant) - (serverMs ?? start.wallMs) - MARGIN_MS;
  return { start, lengthMs: Number.isFinite(lengthMs) ? Math.max(0, lengthMs) : 0 };
}
