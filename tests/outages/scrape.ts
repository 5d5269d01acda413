import { setTimeout as sleep } from 'node:timers/promises';
import type { Recording } from './recording.js';
import { usedMetrics } from './rules.js';

/** A process that is scraped. */
export interface Target {
  /** Name of the process, the label `job`. */
  readonly job: string;
  /** The label `instance`. */
  readonly instance: string;
  readonly port: number;
}

const EVERY_MS = 1_000;
const ANSWER_MS_MAX = 900;
const NAMESPACE = 'placard';
/** Enough for every rule, and short in a file. */
const DIGITS = 4;
/** Seconds since 1970 of any recording are more than this. */
const INSTANT_MIN = 1e9;

/** Scrapes targets once a second, as Prometheus does every 15 seconds. */
export class Scraper {
  readonly #targets: Target[];
  readonly #stopped = new AbortController();
  readonly #series = new Map<string, (number | null)[]>();
  readonly #startedAt = Date.now() / 1_000;
  #scrapes = 0;
  #running: Promise<void>;

  constructor(targets: readonly Target[]) {
    this.#targets = [...targets];
    this.#running = this.#run();
  }

  /** Number of scrapes so far. */
  get scrapes(): number {
    return this.#scrapes;
  }

  /** Scrapes one more process from now on. */
  watch(target: Target): void {
    this.#targets.push(target);
  }

  /** Waits for that many more scrapes. */
  async passes(scrapes: number): Promise<void> {
    const until = this.#scrapes + scrapes;
    while (this.#scrapes < until) await sleep(EVERY_MS / 10);
  }

  /** The series so far, all of the same length. */
  taken(): Pick<Recording, 'everySeconds' | 'startedAt' | 'series'> {
    const series = new Map([...this.#series].map(([key, values]) => [key, values.slice(0, this.#scrapes)]));
    return { everySeconds: EVERY_MS / 1_000, startedAt: this.#startedAt, series };
  }

  /** Ends the scrapes. */
  async end(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const startedAtMs = performance.now();
    while (!this.#stopped.signal.aborted) {
      const targets = [...this.#targets];
      const texts = await Promise.all(targets.map(textOf));
      targets.forEach((target, index) => this.#add(target, texts[index] ?? null));
      this.#scrapes += 1;
      for (const values of this.#series.values()) if (values.length < this.#scrapes) values.push(null);
      await sleep(Math.max(0, startedAtMs + this.#scrapes * EVERY_MS - performance.now()));
    }
  }

  #add({ job, instance }: Target, text: string | null): void {
    const labels = `job="${job}",instance="${instance}",namespace="${NAMESPACE}"`;
    this.#put(`up{${labels}}`, text === null ? 0 : 1);
    for (const [name, own, value] of text === null ? [] : samplesOf(text))
      this.#put(`${name}{${own === '' ? '' : `${own},`}${labels}}`, value);
  }

  #put(key: string, value: number): void {
    let values = this.#series.get(key);
    if (values === undefined) {
      values = new Array<number | null>(this.#scrapes).fill(null);
      this.#series.set(key, values);
    }
    values.push(value);
  }
}

/** Null: the process does not answer. */
async function textOf({ port }: Target): Promise<string | null> {
  try {
    const options = { signal: AbortSignal.timeout(ANSWER_MS_MAX) };
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, options);
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

/** The samples of metrics that a rule uses: name, labels, value. */
function samplesOf(text: string): readonly (readonly [name: string, labels: string, value: number])[] {
  const { names, bounds } = usedMetrics();
  return [...text.matchAll(/^([a-zA-Z_0-9]+)(?:\{(.*)\})? (\S+)$/gm)].flatMap(
    ([, name = '', labels = '', value]) => {
      const bound = name.endsWith('_bucket') ? /le="([^"]+)"/.exec(labels)?.[1] : undefined;
      if (!names.has(name) || (bound !== undefined && !bounds.has(bound))) return [];
      // Not a number: the process has nothing to show. No rule can tell that from no sample.
      return Number.isNaN(Number(value)) ? [] : [[name, labels, rounded(Number(value))] as const];
    },
  );
}

/** Instants need all their digits. */
function rounded(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) || value > INSTANT_MIN
    ? value
    : Number(value.toPrecision(DIGITS));
}
