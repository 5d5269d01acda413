import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@placard/service-kit/pure';
import type { Chance } from '../../chance.js';
import type { Book, Caller, Fields, Sent, Truth } from '../domain/book.js';
import { fateOf, type Fate, type Spell } from '../domain/network.js';
import type { Profile } from '../domain/population.js';
import type { PhoneClock } from './phone-clock.js';

/** Parts of {@link Air}. */
export interface AirDeps {
  /** With the version segment. */
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly chance: Chance;
  readonly spells: readonly Spell[];
  readonly clock: PhoneClock;
  readonly book: Book;
  /** Brings a call to the server. */
  readonly send: typeof globalThis.fetch;
  /** Called with each true answer, before the phone gets it. */
  readonly onTruth: (sent: Sent, truth: Truth) => void;
}

/** A true answer with all that a phone may see of it. */
interface FullTruth extends Truth {
  readonly text: string;
  readonly headers: Headers;
}

/** Longest wait for a true answer, in milliseconds of real time. The gateway answers within two seconds. */
const TRUTH_MS_MAX = 30_000;
/** Headers of an answer that a phone reads. */
const SEEN_HEADERS = ['content-type', 'date', 'retry-after'] as const;

/**
 * The network between a phone and the server. It loses and delays what the phone sends and gets. It reads every true answer
 * before that, so the book knows what the server did also when the phone does not. A phone that gives up never breaks a call:
 * then nobody would know whether the server has handled it.
 */
export class Air {
  readonly #deps: AirDeps;
  readonly #flying = new Set<Promise<unknown>>();
  /** Ends of calls that wait for an answer that never comes. */
  readonly #silent: ((reason: Error) => void)[] = [];
  #isGood = false;

  constructor(deps: AirDeps) {
    this.#deps = deps;
  }

  /** From now on nothing is lost or late, so that what waits can be sent. */
  heal(): void {
    this.#isGood = true;
    for (const end of this.#silent.splice(0)) end(new TypeError('the connection broke'));
  }

  /** Resolves when every call that was sent has its true answer. */
  async settled(): Promise<void> {
    while (this.#flying.size > 0) await Promise.all(this.#flying);
  }

  /** Sends a call of the SDK; the phone's time is real time meanwhile. */
  async call(url: string, init: RequestInit): Promise<Response> {
    const release = this.#deps.clock.hold();
    try {
      return await unlessAborted(this.#carry(url, init), init.signal);
    } finally {
      // The SDK stops its timer in the next microtasks; before that, a jump of the clock would ring it.
      setImmediate(release);
    }
  }

  /** Loads a file that the simulation does not need; rejects where a network would. */
  async load(signal: AbortSignal): Promise<void> {
    const release = this.#deps.clock.hold();
    try {
      const { kind, thereMs, backMs } = this.#fate();
      await sleep(thereMs + backMs, undefined, { signal });
      if (kind !== 'arrives') throw new TypeError('the file did not arrive');
    } finally {
      setImmediate(release);
    }
  }

  async #carry(url: string, init: RequestInit): Promise<Response> {
    const { book, clock } = this.#deps;
    const fate = this.#fate();
    const truth = await this.#tracked(this.#deliver(url, init, fate));
    if (truth === null) throw new TypeError('the connection broke');
    // The server measures this wait.
    clock.holdFor(Number(truth.headers.get('retry-after') ?? 0) * SECOND_MS);
    await sleep(fate.backMs);
    if (fate.kind === 'answer_lost') {
      book.note('answers lost');
      throw new TypeError('the answer was lost');
    }
    if (fate.kind === 'answer_silent') {
      book.note('answers that never came');
      // Ends when the phone gives up, or when its network is another.
      await new Promise<never>((_, reject) => this.#silent.push(reject));
    }
    return new Response(truth.text, { status: truth.status, headers: truth.headers });
  }

  async #tracked<T>(work: Promise<T>): Promise<T> {
    const flight = work.catch(() => undefined);
    this.#flying.add(flight);
    try {
      return await work;
    } finally {
      this.#flying.delete(flight);
    }
  }

  /** Brings a call to the server; rejects when it is lost on its way there. */
  async #deliver(url: string, init: RequestInit, { kind, thereMs }: Fate): Promise<FullTruth | null> {
    const { book, profile, baseUrl } = this.#deps;
    if (this.#isOffline()) {
      book.note('calls without network');
      throw new TypeError('no network');
    }
    await sleep(thereMs);
    if (kind === 'request_lost' || init.signal?.aborted === true) {
      book.note('requests lost');
      throw new TypeError('the request was lost');
    }
    const body = init.body as string;
    return this.#truthOf(url, body, {
      caller: callerOf(profile),
      path: url.slice(baseUrl.length),
      body: JSON.parse(body) as Fields,
    });
  }

  /** The true answer, once it is in the book; null when there is none. */
  async #truthOf(url: string, body: string, sent: Sent): Promise<FullTruth | null> {
    const { book, onTruth } = this.#deps;
    const truth = await this.#post(url, body);
    const isKnown = truth !== null && (truth.status < 500 || isRefused(truth));
    book.answered(sent, isKnown ? truth : null, performance.now());
    if (isKnown && isRefused(truth)) book.note('calls refused for overload');
    else if (isKnown) onTruth(sent, truth);
    return truth;
  }

  async #post(url: string, body: string): Promise<FullTruth | null> {
    const { send, profile } = this.#deps;
    const { address, country } = profile;
    try {
      const response = await send(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': address,
          'x-country': country.code,
        },
        body,
        signal: AbortSignal.timeout(TRUTH_MS_MAX),
      });
      const text = await response.text();
      const headers = new Headers();
      for (const name of SEEN_HEADERS) {
        const value = response.headers.get(name);
        if (value !== null) headers.set(name, value);
      }
      return { status: response.status, text, headers, body: JSON.parse(text) as Fields };
    } catch {
      return null;
    }
  }

  #fate(): Fate {
    const { profile, chance } = this.#deps;
    const fate = fateOf(profile.network, chance);
    return this.#isGood ? { ...fate, kind: 'arrives' } : fate;
  }

  #isOffline(): boolean {
    if (this.#isGood) return false;
    const nowMs = this.#deps.clock.now();
    return this.#deps.spells.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs);
  }
}

function callerOf({ app, country, role }: Profile): Caller {
  const isHonest = role === 'usual' || role === 'developer' || role === 'restorer';
  return { app: app.id, country: country.code, isTest: role === 'developer', isHonest };
}

/** Whether nothing was done for a call, because there was too much to do. Contract: docs/contract/failures.md#overload. */
function isRefused({ status, headers }: FullTruth): boolean {
  return status === 500 && headers.has('retry-after');
}

/** The result of the work, or a rejection as of `fetch` as soon as the phone gives up. The work goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  work.catch(() => undefined);
  if (signal === null || signal === undefined) return work;
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), {
        once: true,
      });
    }),
  ]);
}
