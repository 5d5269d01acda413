import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './book.js';
import { compare, type Findings, type LedgerFacts, type Terms } from './comparison.js';
import { inject } from './injector.js';
import { fromAmount, TOPPED_UP } from './market.js';
import { inWords, type PlannedFault } from './plan.js';
import type { Rig } from './rig.js';

/** How the product is hurt, and for how long. */
export interface RunOptions {
  readonly plan: Iterable<PlannedFault>;
  /** How long faults are injected, in milliseconds. */
  readonly faultsMs: number;
  /** At most so many faults; null: as many as the time allows. */
  readonly faultsMax: number | null;
  readonly say: (text: string) => void;
}

/** What was done and what came of it. */
export interface RunResult {
  readonly book: Book;
  readonly findings: Findings;
  /** What the findings were made of. */
  readonly facts: LedgerFacts;
  /** What the design permits to be overspent, by limit, in nano-units: empty unless both were lost together. */
  readonly allowances: ReadonlyMap<string, bigint>;
  /** By kind, how many. */
  readonly faults: ReadonlyMap<string, number>;
}

/**
 * What serving-service has counted and not reported when it dies: it reports each second, and a report takes a moment.
 * Only what was filled in this time may be overspent, and only when Redis loses its memory together with it.
 */
export const UNREPORTED_MS = 1_500;
/** An answer that was on its way when both were hit. */
const ON_THE_WAY_MS = 250;
/** All must be well before both are hit at once, so that nothing else is unreported. */
const QUIET_MS = 3_000;
const HEALTHY_MS_MAX = 45_000;
const CALM_MS = 2_000;
const ANSWERED_MS_MAX = 90_000;
const PROGRESS_MS = 5_000;
const DEPOSIT_EVERY_MS = 15_000;
const DEPOSIT_TRIES_MAX = 30;
const DEPOSIT = '0.050000003';

/** Lets the phones run while one fault follows the other, lets everything heal and settle, and compares. */
export async function runFailures(rig: Rig, options: RunOptions): Promise<RunResult> {
  const run = new Run(rig, options);
  return run.whole();
}

class Run {
  readonly #rig: Rig;
  readonly #options: RunOptions;
  readonly #faults = new Map<string, number>();
  /** When serving-service and Redis's memory were lost together, epoch ms. */
  readonly #lostBothAt: number[] = [];
  readonly #startedAtMs = Date.now();
  #current = 'nothing';
  /** It was killed, and since then nobody has waited until all was well. */
  #isServingNew = false;
  /** Aborted when the faults are over and healed. */
  readonly #over = new AbortController();

  constructor(rig: Rig, options: RunOptions) {
    this.#rig = rig;
    this.#options = options;
  }

  async whole(): Promise<RunResult> {
    const { rig, say } = { rig: this.#rig, say: this.#options.say };
    const progress = setInterval(() => this.#tell(), PROGRESS_MS);
    try {
      rig.traffic.start();
      const deposits = this.#depositNowAndThen();
      // Its failure is told where it is awaited, also when something else fails before.
      deposits.catch(() => undefined);
      await this.#hurt();
      this.#current = 'healing';
      rig.links.heal();
      await this.#untilHealthy();
      await sleep(CALM_MS);
      this.#over.abort();
      await deposits;
      this.#current = 'showing what is left';
      await rig.traffic.finish(ANSWERED_MS_MAX);
    } finally {
      this.#over.abort();
      clearInterval(progress);
    }
    this.#tell();
    say('Waiting until everything is settled …');
    const { book, market } = rig;
    const facts = await rig.facts();
    const allowances = allowancesFor(this.#lostBothAt, book, market.terms);
    const findings = compare(book, market.terms, facts, allowances);
    return { book, facts, findings, allowances, faults: this.#faults };
  }

  async #hurt(): Promise<void> {
    const { plan, faultsMs, faultsMax, say } = this.#options;
    await this.#untilHealthy();
    await sleep(CALM_MS);
    const endsAtMs = Date.now() + faultsMs;
    let done = 0;
    for (const fault of plan) {
      if (Date.now() >= endsAtMs || done === faultsMax) return;
      done += 1;
      await this.#prepare(fault);
      this.#current = inWords(fault);
      say(`${this.#clock()} ${this.#current}`);
      await this.#injectOne(fault);
      this.#faults.set(fault.kind, (this.#faults.get(fault.kind) ?? 0) + 1);
      this.#current = 'nothing';
      await sleep(fault.restMs);
    }
  }

  /**
   * What serving-service had counted when it died is known to Redis alone until its successor has looked. A loss of memory
   * before that is a double loss; the plan has those as a kind of their own, from a moment in which all is well.
   */
  async #prepare({ kind }: PlannedFault): Promise<void> {
    const isForgetting = kind === 'flush' || kind === 'lose';
    if (kind !== 'lose-both' && !(isForgetting && this.#isServingNew)) return;
    await this.#untilHealthy();
    await sleep(QUIET_MS);
    this.#isServingNew = false;
  }

  async #injectOne(fault: PlannedFault): Promise<void> {
    if (fault.kind === 'lose-both') this.#lostBothAt.push(Date.now());
    await inject(this.#rig, fault);
    const isServingHit = fault.kind === 'kill' && fault.target === 'serving-service';
    if (isServingHit || fault.kind === 'lose-both') this.#isServingNew = true;
  }

  /** Until a whole ad comes through; throws when it does not in time. */
  async #untilHealthy(): Promise<void> {
    const endsAtMs = Date.now() + HEALTHY_MS_MAX;
    while ((await this.#rig.traffic.showOne()) === null) {
      if (Date.now() > endsAtMs) {
        throw new Error(`no ad comes through within ${HEALTHY_MS_MAX} ms after everything was healed`);
      }
      await sleep(500);
    }
  }

  /** An advertiser at its end is topped up, whatever goes on; each deposit is sent until it is booked. */
  async #depositNowAndThen(): Promise<void> {
    const { market, book } = this.#rig;
    const { signal } = this.#over;
    for (let number = 1; ; number += 1) {
      await sleep(DEPOSIT_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      let isBooked = false;
      for (let tries = 0; !isBooked && tries < DEPOSIT_TRIES_MAX; tries += 1) {
        if (tries > 0) await sleep(1_000);
        isBooked = await this.#rig.deposit(TOPPED_UP, DEPOSIT, `top-up-${number}`);
      }
      if (!isBooked) throw new Error(`the deposit top-up-${number} could not be booked`);
      const { funds } = market.terms;
      funds.set(TOPPED_UP, (funds.get(TOPPED_UP) ?? 0n) + fromAmount(DEPOSIT));
      book.count('deposits');
    }
  }

  #tell(): void {
    const { book } = this.#rig;
    const counts = ['requests', 'fills', 'impressions accepted', 'duplicates refused'].map(
      (name) => `${book.counted(name)} ${name}`,
    );
    this.#options.say(`${this.#clock()} ${counts.join(', ')}; now: ${this.#current}`);
  }

  #clock(): string {
    return `${String(Math.round((Date.now() - this.#startedAtMs) / 1_000)).padStart(4)} s`;
  }
}

/** What may be overspent, by limit: what was filled in the last moments before both were lost, and nothing else. */
export function allowancesFor(
  lostBothAt: readonly number[],
  book: Pick<Book, 'fills'>,
  { campaigns }: Pick<Terms, 'campaigns'>,
): ReadonlyMap<string, bigint> {
  const allowed = new Map<string, bigint>();
  const isUnreported = (atMs: number): boolean =>
    lostBothAt.some((lostAtMs) => atMs > lostAtMs - UNREPORTED_MS && atMs <= lostAtMs + ON_THE_WAY_MS);
  for (const { campaignId, filledAtMs } of book.fills) {
    const campaign = campaigns.get(campaignId);
    if (campaign === undefined || !isUnreported(filledAtMs)) continue;
    const day = Math.floor(filledAtMs / 86_400_000);
    const limits = [`total ${campaignId}`, `day ${campaignId} ${day}`, `balance ${campaign.advertiserId}`];
    for (const limit of limits) allowed.set(limit, (allowed.get(limit) ?? 0n) + campaign.costNanos);
  }
  return allowed;
}
