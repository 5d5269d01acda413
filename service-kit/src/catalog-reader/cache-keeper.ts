import { messageOf } from '../process/errors.js';
import type { Logger } from '../process/logs.js';
import type { Catalog } from './catalog.js';
import { writeCacheFile } from './cache-file.js';

/** The rest between two writings is at least this many times the length of the last: at most 5 % of a core. */
const REST_FACTOR = 20;

/** Keeps the file on disk not far behind the catalog in force. A disk that fails is a warning, never more. */
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
    /** Shortest rest between two writings, in milliseconds. */
    readonly intervalMs: number;
  }) {
    this.#path = options.path;
    this.#current = options.current;
    this.#log = options.log;
    this.#intervalMs = options.intervalMs;
  }

  /** The catalog has changed: it will be written after a rest. */
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

  /** Writes what is not written yet. */
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
        this.#log.warn({ reason: messageOf(error) }, 'the catalog cannot be kept on disk');
      this.#isFailing = true;
      if (!this.#isClosed) this.touch();
    }
    this.#lastMs = performance.now() - startedAt;
  }
}
