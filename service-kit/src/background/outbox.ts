import { messageOf, toAppError } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { makeFailureLog, type FailureLog } from './failure-log.js';

/**
 * Longest that the close of an outbox takes, in milliseconds, unless its options say otherwise. It is longer than the
 * deadline of a call, so that a call that hangs does not cost the items behind it.
 */
const CLOSE_MS_MAX = 2_500;

/** How an outbox sends, and its bounds. */
export interface OutboxOptions<Item> {
  /** Describes the work in the log: `reporting package mismatches`. */
  readonly name: string;
  /**
   * Sends a group. After a rejection its items are sent again, perhaps in other groups. The receiver must be able to take
   * an item twice.
   * After the error `invalid_argument` they are dropped, because the receiver would refuse them again.
   */
  readonly send: (items: readonly Item[]) => Promise<unknown>;
  /** Most waiting items, including those being sent. Beyond it, the oldest items that are not being sent are dropped. */
  readonly itemsMax: number;
  /** Most items of one group. */
  readonly groupMax: number;
  /** Wait before each group, in milliseconds. Items pushed meanwhile join the group. */
  readonly gapMs: number;
  /** Wait after a failed group, in milliseconds. It doubles with each failure in a row. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** Receives the number of dropped items: too many waited, the receiver refused them, or they were left at the close. */
  readonly onDropped: (items: number) => void;
  /** Longest time of the close, in milliseconds. Default 2,500. */
  readonly closeMsMax?: number;
}

/** Sends items to a receiver in the background. */
export interface Outbox<Item> {
  /** Never waits and never fails. Items pushed after the close are dropped. */
  push(...items: readonly Item[]): void;
  /** Number of waiting items, including those being sent. */
  readonly waitingCount: number;
}

/**
 * Opens an {@link Outbox}. It sends one group at a time, in the order of the pushes, and repeats each until it is accepted. The
 * log has each outage once. When the scope closes, the waiting items are sent once. Items that fail or are late are dropped.
 */
export function openOutbox<Item>(
  scope: Pick<Scope, 'log' | 'timers' | 'onClose'>,
  options: OutboxOptions<Item>,
): Outbox<Item> {
  const outbox = new Sender(scope, options);
  scope.onClose(options.name, () => outbox.close());
  return outbox;
}

class Sender<Item> implements Outbox<Item> {
  readonly #scope: Pick<Scope, 'log' | 'timers'>;
  readonly #options: OutboxOptions<Item>;
  readonly #failures: FailureLog;
  #waiting: Item[] = [];
  /** The items being sent. */
  #group: readonly Item[] = [];
  #sending: Promise<unknown> | null = null;
  #cancelNext: (() => void) | null = null;
  #failuresInRow = 0;
  #isRefused = false;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(scope: Pick<Scope, 'log' | 'timers'>, options: OutboxOptions<Item>) {
    this.#scope = scope;
    this.#options = options;
    this.#failures = makeFailureLog(scope.log, options.name);
  }

  get waitingCount(): number {
    return this.#waiting.length + this.#group.length;
  }

  push(...items: readonly Item[]): void {
    if (items.length === 0) return;
    if (this.#state !== 'open') {
      this.#options.onDropped(items.length);
      return;
    }
    this.#waiting.push(...items);
    const excess = Math.min(this.waitingCount - this.#options.itemsMax, this.#waiting.length);
    if (excess > 0) {
      this.#waiting.splice(0, excess);
      this.#options.onDropped(excess);
    }
    this.#schedule(this.#options.gapMs);
  }

  async close(): Promise<void> {
    const { name, closeMsMax = CLOSE_MS_MAX, onDropped } = this.#options;
    this.#state = 'closing';
    this.#cancelNext?.();
    await this.#within(closeMsMax, this.#sendRest());
    this.#state = 'closed';
    const left = this.waitingCount;
    this.#waiting = [];
    this.#group = [];
    if (left === 0) return;
    onDropped(left);
    this.#scope.log.warn({ items: left }, `${name} ended before everything was sent`);
  }

  /** Resolves when the work has ended, or after `ms`. */
  async #within(ms: number, work: Promise<void>): Promise<void> {
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#scope.timers.after(ms, resolve);
    });
    await Promise.race([work, late]);
    cancel();
  }

  async #sendRest(): Promise<void> {
    await this.#sending;
    while (this.#state === 'closing' && this.#waiting.length > 0 && (await this.#sendGroup()));
  }

  #schedule(delayMs: number): void {
    if (this.#cancelNext !== null || this.#sending !== null || this.#waiting.length === 0) return;
    this.#cancelNext = this.#scope.timers.after(delayMs, () => {
      this.#cancelNext = null;
      this.#sending = this.#sendAndGoOn();
    });
  }

  async #sendAndGoOn(): Promise<void> {
    const isSent = await this.#sendGroup();
    this.#sending = null;
    if (this.#state === 'open') this.#schedule(isSent ? this.#options.gapMs : this.#retryMs);
  }

  get #retryMs(): number {
    const { retryMsMin, retryMsMax } = this.#options;
    return Math.min(retryMsMin * 2 ** Math.min(this.#failuresInRow - 1, 30), retryMsMax);
  }

  /** Returns false if the group failed. Its items then wait again. */
  async #sendGroup(): Promise<boolean> {
    const group = this.#waiting.splice(0, this.#options.groupMax);
    this.#group = group;
    try {
      await this.#options.send(group);
      this.#failures.worked();
      this.#isRefused = false;
    } catch (error) {
      // The close has counted them as dropped.
      if (this.#isClosed) return false;
      if (toAppError(error).code !== 'invalid_argument') {
        this.#waiting.unshift(...group);
        this.#group = [];
        this.#failuresInRow += 1;
        this.#failures.failed(error);
        return false;
      }
      this.#refused(group.length, error);
    }
    this.#group = [];
    this.#failuresInRow = 0;
    return true;
  }

  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Drops a refused group. The log has one error for several in a row, because a person must act. */
  #refused(items: number, error: unknown): void {
    this.#options.onDropped(items);
    if (!this.#isRefused) {
      const { name } = this.#options;
      this.#scope.log.error(
        { reason: messageOf(error), items },
        `${name} was refused; the items are dropped`,
      );
    }
    this.#isRefused = true;
  }
}
