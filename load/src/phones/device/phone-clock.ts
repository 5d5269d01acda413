import { systemTimers, type Timers } from '@placard/service-kit';

interface Timer {
  readonly dueMs: number;
  readonly then: () => void;
}

/** The real time: its timers, and milliseconds since any start. */
export interface RealTime extends Timers {
  readonly now: () => number;
}

/** The time of this process. */
const REAL_TIME: RealTime = { ...systemTimers, now: () => performance.now() };

/**
 * The time of one phone, from 0 at the start of the run. It runs faster than real time. While it is held it runs as real time
 * does, and afterwards it jumps to where it would be without the hold. So what the server measures by its own clock, such as
 * the time of a call, has its real length on the phone too, and the days of all phones stay together.
 */
export class PhoneClock {
  readonly #real: RealTime;
  readonly #speed: number;
  readonly #startedAtMs: number;
  readonly #timers = new Set<Timer>();
  #holds = 0;
  #heldAt = { realMs: 0, phoneMs: 0 };
  #cancelAlarm: () => void = () => undefined;

  /** `startedAtMs`: the start of the run by the real time. */
  constructor(speed: number, startedAtMs: number, real: RealTime = REAL_TIME) {
    this.#real = real;
    this.#speed = speed;
    this.#startedAtMs = startedAtMs;
  }

  /** Milliseconds of the phone's time. They never go back. */
  now(): number {
    const realMs = this.#real.now();
    if (this.#holds > 0) return this.#heldAt.phoneMs + (realMs - this.#heldAt.realMs);
    return (realMs - this.#startedAtMs) * this.#speed;
  }

  /** Calls back once after `ms` of the phone's time, unless the returned function is called first. */
  after(ms: number, then: () => void): () => void {
    const timer = { dueMs: this.now() + Math.max(0, ms), then };
    this.#timers.add(timer);
    this.#arm();
    return () => {
      if (this.#timers.delete(timer)) this.#arm();
    };
  }

  /** Resolves after `ms` of the phone's time. */
  pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets the phone's time run as real time does, until the returned function is called. Holds may overlap. */
  hold(): () => void {
    if (this.#holds === 0) this.#heldAt = { phoneMs: this.now(), realMs: this.#real.now() };
    this.#holds += 1;
    this.#arm();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.#arm();
    };
  }

  /** Holds for a span of real time. */
  holdFor(realMs: number): void {
    if (realMs > 0) this.#real.after(realMs, this.hold());
  }

  /** Ends all timers. */
  close(): void {
    this.#timers.clear();
    this.#arm();
  }

  #arm(): void {
    this.#cancelAlarm();
    if (this.#timers.size === 0) return;
    const nextMs = Math.min(...[...this.#timers].map(({ dueMs }) => dueMs));
    const phoneMs = Math.max(0, nextMs - this.now());
    const realMs = this.#holds > 0 ? phoneMs : phoneMs / this.#speed;
    this.#cancelAlarm = this.#real.after(realMs, () => this.#ring());
  }

  #ring(): void {
    const nowMs = this.now();
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) this.#timers.delete(timer);
    for (const { then } of due) then();
    this.#arm();
  }
}
