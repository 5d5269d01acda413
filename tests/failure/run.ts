import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './book.js';
import { compare, type Findings, type LedgerFacts } from './comparison.js';
import { inject } from './faults/injector.js';
import { fromAmount, TOPPED_UP, withTotal } from './market.js';
import { inWords, type PlannedFault } from './plan.js';
import type { Rig } from './rig.js';

/** How the product is hurt. */
export interface HurtOptions {
  readonly plan: Iterable<PlannedFault>;
  readonly say: (text: string) => void;
}

/** Faults of a run and their duration. */
export interface RunOptions extends HurtOptions {
  /** How long faults are injected, in milliseconds. */
  readonly faultsMs: number;
}

/** The faults and the results of a run. */
export interface RunResult {
  readonly book: Book;
  readonly findings: Findings;
  /** The product's data from which the findings were made. */
  readonly facts: LedgerFacts;
  /** Number of faults by kind. */
  readonly faults: ReadonlyMap<string, number>;
}

const HEALTHY_MS_MAX = 45_000;
const CALM_MS = 2_000;
const ANSWERED_MS_MAX = 90_000;
const PROGRESS_MS = 5_000;
const DEPOSIT_EVERY_MS = 15_000;
const CHANGE_EVERY_MS = 10_000;
/**
 * Of a deposit or a change, until it is booked or applied: longer than all stores and console-service are away, one after
 * the other, when their restarts have grown slow.
 */
const TRIED_MS_MAX = 240_000;
const DEPOSIT = '0.050000003';

/** Runs the phones while faults follow each other, waits until everything has healed and settled, and compares. */
export async function runFailures(rig: Rig, { faultsMs, ...options }: RunOptions): Promise<RunResult> {
  const run = new FailureRun(rig, options);
  try {
    await run.begin();
    const endsAtMs = Date.now() + faultsMs;
    while (Date.now() < endsAtMs) await run.hurt();
    await run.heal();
    await run.showRest();
  } finally {
    run.stop();
  }
  return run.settle();
}

/** A run in steps, which are taken in the order in which they stand here; `stop` also where a step fails. */
export class FailureRun {
  readonly #rig: Rig;
  readonly #say: (text: string) => void;
  readonly #plan: Iterator<PlannedFault>;
  readonly #faults = new Map<string, number>();
  /** Processes in a long stop, with the end of each stop. Other faults go on meanwhile. */
  readonly #still = new Map<string, Promise<void>>();
  readonly #startedAtMs = Date.now();
  readonly #progress: NodeJS.Timeout;
  #changes: Promise<unknown> = Promise.resolve();
  #current = 'nothing';
  /** Aborted when the faults are over and healed. */
  readonly #over = new AbortController();

  constructor(rig: Rig, { plan, say }: HurtOptions) {
    this.#rig = rig;
    this.#say = say;
    this.#plan = plan[Symbol.iterator]();
    this.#progress = setInterval(() => this.#tell(), PROGRESS_MS);
  }

  /** Starts the phones, and waits until a whole ad comes through. */
  async begin(): Promise<void> {
    this.#rig.traffic.start();
    this.#changes = Promise.all([this.#depositNowAndThen(), this.#changeNowAndThen()]);
    // Its failure is reported where it is awaited, even when something else fails before.
    this.#changes.catch(() => undefined);
    await this.#untilHealthy();
    await sleep(CALM_MS);
  }

  /** Injects the next fault of the plan, and rests behind it. */
  async hurt(): Promise<void> {
    const next = this.#plan.next();
    if (next.done === true) throw new Error('the plan of faults is over');
    const fault = next.value;
    if (this.#still.has(fault.target)) return;
    this.#current = inWords(fault);
    this.#say(`${this.#clock()} ${this.#current}`);
    await this.#injectOne(fault);
    this.#faults.set(fault.kind, (this.#faults.get(fault.kind) ?? 0) + 1);
    this.#current = 'nothing';
    await sleep(fault.restMs);
  }

  /** Ends every fault, and waits until a whole ad comes through. */
  async heal(): Promise<void> {
    this.#current = 'healing';
    await Promise.all(this.#still.values());
    this.#rig.links.heal();
    await this.#rig.clocks.heal();
    await this.#untilHealthy();
    await sleep(CALM_MS);
  }

  /** Ends deposits and changes of budgets, and shows what the phones still hold. */
  async showRest(): Promise<void> {
    this.#over.abort();
    await this.#changes;
    this.#current = 'showing the remaining fills';
    await this.#rig.traffic.finish(ANSWERED_MS_MAX);
  }

  /** Ends what goes on beside the steps. */
  stop(): void {
    this.#over.abort();
    clearInterval(this.#progress);
  }

  /** Waits until everything is settled and every ad is over, and compares. */
  async settle(): Promise<RunResult> {
    this.#tell();
    this.#say('Waiting until everything is settled …');
    const { book, market } = this.#rig;
    const facts = await this.#rig.factsAtEnd();
    return { book, facts, findings: compare(book, market.terms, facts), faults: this.#faults };
  }

  async #injectOne(fault: PlannedFault): Promise<void> {
    const done = inject(this.#rig, fault, new Set(this.#still.keys()));
    if (fault.kind !== 'stop-long') return done;
    const goesOn = done.then(() => {
      this.#still.delete(fault.target);
      this.#say(`${this.#clock()} ${fault.target} goes on`);
    });
    // Its failure is reported at the end.
    goesOn.catch(() => undefined);
    this.#still.set(fault.target, goesOn);
  }

  /** Waits until a whole ad succeeds; throws when the time runs out. */
  async #untilHealthy(): Promise<void> {
    const endsAtMs = Date.now() + HEALTHY_MS_MAX;
    while ((await this.#rig.traffic.showOne()) === null) {
      if (Date.now() > endsAtMs) {
        throw new Error(`no ad comes through within ${HEALTHY_MS_MAX} ms after everything was healed`);
      }
      await sleep(500);
    }
  }

  /** Deposits for an advertiser without balance during all faults. Each deposit is sent until it is booked. */
  async #depositNowAndThen(): Promise<void> {
    const { market, book } = this.#rig;
    for (let number = 1; await this.#pass(DEPOSIT_EVERY_MS); number += 1) {
      await this.#untilDone(`the deposit top-up-${number}`, () =>
        this.#rig.deposit(TOPPED_UP, DEPOSIT, `top-up-${number}`),
      );
      const { funds } = market.terms;
      funds.set(TOPPED_UP, (funds.get(TOPPED_UP) ?? 0n) + fromAmount(DEPOSIT));
      book.count('deposits');
    }
  }

  /** Lowers a total budget to half and raises it again. The spend must never exceed the whole budget. */
  async #changeNowAndThen(): Promise<void> {
    const { market, book } = this.#rig;
    for (let number = 0; await this.#pass(CHANGE_EVERY_MS); number += 1) {
      const percent = number % 2 === 0 ? 50n : 100n;
      await this.#untilDone(`a budget of ${percent} %`, () => this.#rig.apply(withTotal(market, percent)));
      book.count('changes of a budget');
    }
  }

  /** Waits; false: the faults are over. */
  async #pass(ms: number): Promise<boolean> {
    const { signal } = this.#over;
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  async #untilDone(what: string, act: () => Promise<boolean>): Promise<void> {
    const endsAtMs = Date.now() + TRIED_MS_MAX;
    while (!(await act())) {
      if (Date.now() > endsAtMs) throw new Error(`${what} could not be made within ${TRIED_MS_MAX} ms`);
      await sleep(1_000);
    }
  }

  #tell(): void {
    const { book } = this.#rig;
    const counts = ['requests', 'fills', 'impressions accepted', 'duplicates refused'].map(
      (name) => `${book.counted(name)} ${name}`,
    );
    this.#say(`${this.#clock()} ${counts.join(', ')}; now: ${this.#current}`);
  }

  #clock(): string {
    return `${String(Math.round((Date.now() - this.#startedAtMs) / 1_000)).padStart(4)} s`;
  }
}
