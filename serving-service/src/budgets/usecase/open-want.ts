import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { LeaseVerdict } from '../domain/lease-want.js';
import type { Refill } from '../domain/wallet.js';

/** What came of a request for money: the verdict; events-service cannot be called; or no answer came in time. */
export type AskOutcome = LeaseVerdict | 'unavailable' | 'late';

/** One question about a campaign's minute, shared by all requests that wait for its answer. */
export class OpenWant implements Refill {
  readonly entry: IndexedCampaign;
  readonly minute: number;
  /** Requests that wait. */
  waiting = 0;
  readonly outcome: Promise<AskOutcome>;
  #settle: (outcome: AskOutcome) => void = () => undefined;

  constructor({ entry, minute }: Refill) {
    this.entry = entry;
    this.minute = minute;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Answers all who wait; only the first call counts. */
  settle(outcome: AskOutcome): void {
    this.#settle(outcome);
  }
}

/** Wants that are to be asked or on their way, one for each campaign and minute. */
export class OpenWants {
  #gathering = new Map<string, OpenWant>();
  #underway = new Map<string, OpenWant>();

  /** Whether there are some to be asked. */
  get isAnyGathering(): boolean {
    return this.#gathering.size > 0;
  }

  /** The want for that minute: the one that is asked already, or one for the next exchange. */
  of(refill: Refill): OpenWant {
    const key = `${refill.entry.campaign.id}|${refill.minute}`;
    let want = this.#underway.get(key) ?? this.#gathering.get(key);
    if (want === undefined) this.#gathering.set(key, (want = new OpenWant(refill)));
    return want;
  }

  /** Takes what is to be asked now, at most so many: those first for which most requests wait. */
  take(countMax: number): OpenWant[] {
    const sorted = [...this.#gathering].sort(([, a], [, b]) => b.waiting - a.waiting);
    this.#underway = new Map(sorted.slice(0, countMax));
    this.#gathering = new Map(sorted.slice(countMax));
    return [...this.#underway.values()];
  }

  /** The exchange is over: whoever got no answer gets none. */
  finish(): void {
    for (const want of this.#underway.values()) want.settle('unavailable');
    this.#underway = new Map();
  }

  /** Nobody can be asked: whoever waits goes on without. */
  abandon(): void {
    for (const want of this.#gathering.values()) want.settle('unavailable');
    this.#gathering.clear();
  }
}
