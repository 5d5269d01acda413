import { GATHERED_BYTES_MAX, MEMBERS_MAX } from './batch-limits.js';

/** Longest that a call waits for the message that is on its way, so that a stuck replica holds nobody up; in milliseconds. */
const WAIT_MS_MAX = 5;

/** How gathered calls are sent: one alone, several in one message. `returned` is called once, when the peer answers or fails. */
export interface Sending<Call> {
  alone(call: Call, returned: () => void): void;
  together(calls: readonly Call[], returned: () => void): void;
}

/**
 * Gathers calls to one peer. A call goes out at the end of the turn of the event loop in which it was made, together with
 * what came meanwhile; under load it waits, a bounded time, until an earlier message has returned. Nothing waits when idle.
 */
export class BatchQueue<Call extends { readonly request: Buffer }> {
  readonly #sending: Sending<Call>;
  #waiting: Call[] = [];
  #onTheirWay = 0;
  #isScheduled = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(sending: Sending<Call>) {
    this.#sending = sending;
  }

  /** Takes a call; it is sent soon. */
  add(call: Call): void {
    this.#waiting.push(call);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send(false);
    });
  }

  #send(isOverdue: boolean): void {
    while (
      this.#waiting.length >= MEMBERS_MAX ||
      (this.#waiting.length > 0 && (isOverdue || this.#onTheirWay === 0))
    ) {
      this.#sendMessage(this.#take());
    }
    if (this.#waiting.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#send(true);
      }, WAIT_MS_MAX);
    } else if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  #take(): Call[] {
    let count = 0;
    let bytes = 0;
    for (const { request } of this.#waiting) {
      bytes += request.length;
      if (count > 0 && (count === MEMBERS_MAX || bytes > GATHERED_BYTES_MAX)) break;
      count += 1;
    }
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  #sendMessage(calls: readonly Call[]): void {
    this.#onTheirWay += 1;
    const returned = (): void => {
      this.#onTheirWay -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    };
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) this.#sending.alone(first, returned);
    else this.#sending.together(calls, returned);
  }
}
