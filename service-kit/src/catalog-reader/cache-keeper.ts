import { messageOf } from '../process/errors.js';
import type { Logger } from '../process/logs.js';
import type { Catalog } from './catalog.js';
import { writeCacheFile } from './cache-file.js';

/** The pause between two writes is at least this many times the duration of the last write: at most 5 % of a core. */
const REST_FACTOR = 20;

/** Keeps the file on disk close behind the catalog in force. A failing disk only causes warnings. */
export class CacheKeeper {
  readonly #path: string;
  readonly #current: () => Catalog;
  readonly #log: Logger;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #lastMs = 0;
  #isBehind = false;
  #isFailing = false;
  #isClosed = false;

  constructor(options: {
    readonly path: string;
    readonly current: () => Catalog;
    readonly log: Logger;
    /** Shortest pause between two writes, in milliseconds. */
    readonly intervalMs: number;
  }) {
    this.#path = options.path;
    this.#current = options.current;
    this.#log = options.log;
    this.#intervalMs = options.intervalMs;
  }

  /** Schedules a write, after a pause, of a catalog that has changed. */
  touch(): void {
    this.#isBehind = true;
    if (this.#isClosed || this.#timer !== null) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#write();
      },
      Math.max(this.#intervalMs, this.#lastMs * REST_FACTOR),
    );
    this.#timer.unref();
  }

  /** Writes a change that is not yet on disk. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#write();
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeIfBehind());
    return this.#writing;
  }

  async #writeIfBehind(): Promise<void> {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    const startedAt = performance.now();
    try {
      await writeCacheFile(this.#path, this.#current());
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#log.warn({ reason: messageOf(error) }, 'the catalog could not be written to disk');
      this.#isFailing = true;
      if (!this.#isClosed) this.touch();
    }
    this.#lastMs = performance.now() - startedAt;
  }
}
