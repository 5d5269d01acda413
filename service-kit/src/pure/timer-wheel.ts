/** A callback that waits in a {@link TimerWheel}. */
export interface WheelTimer {
  /** Removes the timer. No effect once its callback has run. */
  cancel(): void;
}

interface Link {
  previous: Link;
  next: Link;
}

/**
 * Timers of short and similar delays. Adding and cancelling one changes two links, whatever the number of timers. A
 * callback runs at the first tick at or after its time, never before it. The wheel has no clock: the owner calls
 * `advance` about once per tick.
 */
export class TimerWheel {
  readonly #tickMs: number;
  readonly #slots: readonly Slot[];
  /** The last tick whose slot was processed. */
  #tick: number;
  #count = 0;

  /** `tickMs`: resolution. `slots`: ticks of one turn. A timer further away stays in its slot for more turns. */
  constructor(tickMs: number, slots: number, nowMs: number) {
    this.#tickMs = tickMs;
    this.#slots = Array.from({ length: slots }, () => new Slot());
    this.#tick = Math.floor(nowMs / tickMs);
  }

  /** The number of waiting timers. */
  get count(): number {
    return this.#count;
  }

  /** Runs the callback at `atMs`, on the clock of `advance`. A time in the past runs at the next tick. */
  add(atMs: number, run: () => void): WheelTimer {
    const tick = Math.max(this.#tick + 1, Math.ceil(atMs / this.#tickMs));
    const timer = new Timer(tick, run, this.#gone);
    this.#slotOf(tick).push(timer);
    this.#count += 1;
    return timer;
  }

  /** Runs the callbacks that are due. A callback must not throw. It may add and cancel timers. */
  advance(nowMs: number): void {
    const now = Math.floor(nowMs / this.#tickMs);
    if (this.#count === 0) {
      this.#tick = Math.max(this.#tick, now);
      return;
    }
    // One whole turn visits each slot.
    const from = Math.max(this.#tick + 1, now - this.#slots.length + 1);
    for (let tick = from; tick <= now; tick += 1) {
      this.#tick = tick;
      for (const timer of this.#slotOf(tick).due(now)) timer.run();
    }
  }

  readonly #gone = (): void => {
    this.#count -= 1;
  };

  #slotOf(tick: number): Slot {
    return this.#slots[tick % this.#slots.length] as Slot;
  }
}

/** A ring of timers. The slot itself is its start and end. */
class Slot implements Link {
  previous: Link = this;
  next: Link = this;

  push(timer: Timer): void {
    timer.previous = this.previous;
    timer.next = this;
    this.previous.next = timer;
    this.previous = timer;
  }

  /** The timers of the slot that are due. Each may still be cancelled before it runs. */
  due(now: number): readonly Timer[] {
    const timers: Timer[] = [];
    for (let link = this.next; link instanceof Timer; link = link.next) {
      if (link.tick <= now) timers.push(link);
    }
    return timers;
  }
}

class Timer implements Link, WheelTimer {
  previous: Link = this;
  next: Link = this;
  #isWaiting = true;

  constructor(
    readonly tick: number,
    readonly onDue: () => void,
    readonly onGone: () => void,
  ) {}

  run(): void {
    if (!this.#isWaiting) return;
    this.cancel();
    this.onDue();
  }

  cancel(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.onGone();
  }
}
