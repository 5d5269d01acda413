import type { WatchResponse } from '@placard/protos/catalog/v1/catalog.js';
import { Gauge } from 'prom-client';
import { appError, messageOf } from '../process/errors.js';
import type { HealthComponent } from '../process/health.js';
import type { CatalogDelta } from '../pure/index.js';
import type { Scope } from '../process/scope.js';
import { readCacheFile } from './cache-file.js';
import type { Catalog } from './catalog.js';
import { Receiver } from './receiver.js';

/** More breaks in a row than this are logged. One break may be the planned end of a connection by the server. */
const QUIET_BREAKS_MAX = 2;

/** The catalog in force, its source and its age. Reports them to listeners, health, metrics and the log. */
export class CatalogState {
  readonly #scope: Scope;
  readonly #health: HealthComponent;
  readonly #listeners = new Set<(delta: CatalogDelta) => void>();
  readonly #ready: Promise<void>;
  #resolveReady: () => void = () => undefined;
  #rejectReady: (error: Error) => void = () => undefined;
  #receiver = this.#makeReceiver();
  #isLoaded = false;
  /** True: only a snapshot can help, because the version of the writer is lower. */
  #needsSnapshot = false;
  #isQuiet = true;
  /** When the catalog in force was last known to be current, epoch ms. Null: never. */
  #currentAtMs: number | null = null;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#health = scope.health.register('catalog');
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // A caller that does not wait for `ready` need not handle its failure.
    this.#ready.catch(() => undefined);
    this.#registerMetrics();
  }

  get catalog(): Catalog {
    return this.#receiver.catalog;
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  onChange(listener: (delta: CatalogDelta) => void): void {
    this.#listeners.add(listener);
  }

  /** The version after which the stream resumes. 0 asks for a snapshot. */
  resumeAfter(): bigint {
    return this.#needsSnapshot ? 0n : BigInt(this.catalog.version);
  }

  /** Applies a message of the stream. False: the stream cannot go on. */
  hear(message: WatchResponse): boolean {
    const goesOn = this.#receiver.receive(message);
    if (!goesOn) {
      this.#needsSnapshot = true;
      return false;
    }
    if (message.event?.$case === 'snapshotEnd') this.#needsSnapshot = false;
    if (this.#isLoaded) this.#currentAtMs = this.#scope.clock.now();
    if (!this.#isQuiet) this.#scope.log.info({ version: this.catalog.version }, 'catalog stream is back');
    this.#isQuiet = true;
    if (this.#isLoaded) this.#health.set(true);
    return true;
  }

  /** Records that a stream broke. The catalog stays in force. */
  disconnected(reason: string, breaksInRow: number): void {
    this.#receiver.startOver();
    if (breaksInRow < QUIET_BREAKS_MAX) return;
    this.#health.set(this.#isLoaded, `console-service is away: ${reason}`);
    if (this.#isQuiet)
      this.#scope.log.warn({ reason, version: this.catalog.version }, 'catalog stream is broken');
    this.#isQuiet = false;
  }

  /** Loads the last snapshot from disk. A file that is missing or damaged changes nothing. */
  async load(path: string): Promise<void> {
    try {
      const read = await readCacheFile(path, (message) => void this.#receiver.receive(message));
      if (read === null) return;
      this.#currentAtMs = read.writtenAtMs;
      this.#scope.log.info({ version: this.catalog.version }, 'catalog loaded from disk');
    } catch (error) {
      this.#receiver.startOver();
      this.#scope.log.warn(
        { reason: messageOf(error) },
        'the catalog on disk cannot be read and is left out',
      );
    }
  }

  /** Rejects `ready` for the callers that still wait, because the process stops. */
  stop(): void {
    this.#rejectReady(appError('unavailable', 'The process stopped before a catalog was loaded.'));
  }

  #makeReceiver(): Receiver {
    return new Receiver({
      onDelta: (delta) => this.#tell(delta),
      onUnknown: (count) =>
        this.#scope.log.warn(
          { count },
          'catalog objects of a newer release are left out: update this process',
        ),
    });
  }

  #tell(delta: CatalogDelta): void {
    for (const listener of this.#listeners) {
      try {
        listener(delta);
      } catch (error) {
        this.#scope.log.error({ err: error }, 'a listener of the catalog failed: its data is out of date');
      }
    }
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.#health.set(true);
    this.#resolveReady();
  }

  #registerMetrics(): void {
    const version = (): number => this.catalog.version;
    const ageSeconds = (): number =>
      this.#currentAtMs === null ? Number.NaN : (this.#scope.clock.now() - this.#currentAtMs) / 1_000;
    new Gauge({
      name: 'placard_catalog_version',
      help: 'Version of the catalog in force; 0 before the first load',
      registers: [this.#scope.metrics],
      collect() {
        this.set(version());
      },
    });
    new Gauge({
      name: 'placard_catalog_age_seconds',
      help: 'Time since the catalog in force was last known to be current; NaN before the first load',
      registers: [this.#scope.metrics],
      collect() {
        this.set(ageSeconds());
      },
    });
  }
}
