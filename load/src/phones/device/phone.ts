import type { QueuedEvent } from '@placard/sdk';
import { HOUR_MS } from '@placard/service-kit/pure';
import type { Book } from '../domain/book.js';
import { makeVisits, type Visit } from '../domain/day.js';
import { spellsOf } from '../domain/network.js';
import type { Profile } from '../domain/population.js';
import { streamOf } from '../domain/streams.js';
import { Air } from './air.js';
import { AppProcess } from './app-process.js';
import { PhoneClock } from './phone-clock.js';
import { doStep } from './use-app.js';

/** Parts of {@link Phone}. */
export interface PhoneDeps {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly seed: number;
  readonly hours: number;
  readonly speed: number;
  /** The start of the run by `performance.now()`. */
  readonly startedAtMs: number;
  readonly book: Book;
  /** Aborted when the day ends early. */
  readonly ending: AbortSignal;
}

/** A little more than the fraud rule's second between impression and click, in milliseconds of real time. */
const CLICK_DELAY_MS = 1_300;
/** By this a clock that jumps is set back and forward. It shortens the life of an ad by a third. */
const CLOCK_JUMP_MS = 600_000;
/** Events that a restored app sends again. */
const RESTORED_MAX = 3;

/** One phone with one app: its network, its storage, its processes, one after the other, and its user. */
export class Phone {
  readonly #deps: PhoneDeps;
  readonly #clock: PhoneClock;
  readonly #air: Air;
  readonly #disk = new Map<string, QueuedEvent>();
  readonly #backup: QueuedEvent[] = [];
  readonly #willTap = new Set<string>();
  readonly #visits: readonly Visit[];
  #app: AppProcess | null = null;
  #isInUse = false;
  #isSetBack = false;

  constructor(deps: PhoneDeps) {
    const { profile, seed, hours, speed, startedAtMs, book, baseUrl } = deps;
    this.#deps = deps;
    this.#clock = new PhoneClock(speed, startedAtMs);
    const day = streamOf(seed, profile.index, 'day');
    const spells = spellsOf(profile.network, hours * HOUR_MS, day);
    this.#visits = makeVisits(profile, hours, day);
    const chance = streamOf(seed, profile.index, 'network');
    this.#air = new Air({
      baseUrl,
      profile,
      chance,
      spells,
      clock: this.#clock,
      book,
      send: fetch,
      onTruth: ({ path, body }) => {
        const id = String(body['request_id']);
        // From the accepted impression to the click the server measures a second of its own time.
        if (path === '/events/impression' && this.#willTap.has(id)) this.#clock.holdFor(CLICK_DELAY_MS);
      },
    });
  }

  /** Whether its user is in the app. */
  get isInUse(): boolean {
    return this.#isInUse;
  }

  /** Lives its day, or until it ends early. Its app may then still be in use. */
  async live(): Promise<void> {
    for (const visit of this.#visits) {
      await this.#unlessEnded(this.#clock.pass(visit.atMs - this.#clock.now()));
      if (this.#deps.ending.aborted) return;
      await this.#unlessEnded(this.#visit(visit));
    }
  }

  /** Sends all that waits, over a network that loses nothing. An app that is in use ends in the middle of it. */
  async drain(): Promise<void> {
    this.#air.heal();
    if (this.#isInUse) {
      this.#app?.kill();
      this.#app = null;
      this.#isInUse = false;
    }
    if (this.#app !== null || this.#disk.size > 0) {
      const { placard } = (this.#app ??= this.#start());
      // Takes over what the storage holds. Events of ads need no session.
      await placard.start().catch(() => undefined);
      placard.flush();
      await placard.drained();
      placard.close();
    }
    await this.#air.settled();
  }

  /** Ends its timers. */
  close(): void {
    this.#app?.kill();
    this.#clock.close();
  }

  async #visit(visit: Visit): Promise<void> {
    const { book } = this.#deps;
    book.note('visits');
    this.#isInUse = true;
    const app = (this.#app ??= this.#start());
    app.turn(true);
    const isOver = this.#use(app, visit).then(() => 'left' as const);
    const isKilled =
      visit.killedAfterMs === null
        ? new Promise<never>(() => undefined)
        : this.#clock.pass(visit.killedAfterMs).then(() => 'killed' as const);
    const end = await Promise.race([isOver, isKilled]);
    // The day may be over meanwhile, and with it this process.
    if (this.#app !== app) return;
    this.#isInUse = false;
    if (end === 'left' && visit.stays) {
      app.turn(false);
      return;
    }
    if (end === 'killed') book.note('apps killed');
    app.kill();
    this.#app = null;
  }

  async #use(app: AppProcess, { steps }: Visit): Promise<void> {
    // What cannot start now starts with the first ad.
    await app.placard.start().catch(() => undefined);
    const { book } = this.#deps;
    const onWillTap = (requestId: string): void => void this.#willTap.add(requestId);
    for (const step of steps) {
      if (!(await doStep(step, { app, book, onWillTap }))) return;
    }
  }

  #start(): AppProcess {
    const { baseUrl, profile, book } = this.#deps;
    if (profile.role === 'restorer') this.#restore();
    return new AppProcess({
      baseUrl,
      profile,
      clock: this.#clock,
      air: this.#air,
      book,
      disk: this.#disk,
      clockErrorMs: () => profile.clockErrorMs - (this.#isSetBack ? CLOCK_JUMP_MS : 0),
      onRemoved: () => this.#setClock(),
      onStored: (event) => {
        this.#setClock();
        if (profile.role === 'restorer' && this.#backup.length < RESTORED_MAX) this.#backup.push(event);
      },
    });
  }

  /** Sets a clock that jumps back, and forward again the next time: the worst moments are beside the events. */
  #setClock(): void {
    this.#isSetBack = this.#deps.profile.clockJumps && !this.#isSetBack;
  }

  /** Brings back events of a backup that was made while they waited. */
  #restore(): void {
    for (const event of this.#backup.splice(0)) this.#disk.set(event.id, event);
  }

  async #unlessEnded(work: Promise<void>): Promise<void> {
    const { ending } = this.#deps;
    if (ending.aborted) return;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
      ending.addEventListener('abort', end, { once: true });
    });
    await Promise.race([work, ended]);
    ending.removeEventListener('abort', end);
  }
}
