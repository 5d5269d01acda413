import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { LeaseVerdict } from '../domain/lease-want.js';
import type { Refill } from '../domain/wallet.js';

/**
 * The result of a request for money: the verdict; `unavailable`: events-service cannot be called; `late`: no answer in
 * time.
 */
export type AskOutcome = LeaseVerdict | 'unavailable' | 'late';

/** One want for a campaign and minute. All requests that wait for its answer share it. */
export class OpenWant implements Refill {
  readonly entry: IndexedCampaign;
  readonly minute: number;
  /** The number of waiting requests. */
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

  /** Answers all waiting requests. Only the first call counts. */
  settle(outcome: AskOutcome): void {
    this.#settle(outcome);
  }
}

/** Wants that are to be sent or have no answer yet: one for each campaign and minute. */
export class OpenWants {
  #gathering = new Map<string, OpenWant>();
  #underway = new Map<string, OpenWant>();

  /** Whether any want is to be sent. */
  get isAnyGathering(): boolean {
    return this.#gathering.size > 0;
  }

  /** The want for that minute: one that was sent, or one for the next exchange. */
  of(refill: Refill): OpenWant {
    const key = `${refill.entry.campaign.id}|${refill.minute}`;
    let want = this.#underway.get(key) ?? this.#gathering.get(key);
    if (want === undefined) this.#gathering.set(key, (want = new OpenWant(refill)));
    return want;
  }

  /** Takes at most `countMax` wants to send, those with the most waiting requests first. */
  take(countMax: number): OpenWant[] {
    const sorted = [...this.#gathering].sort(([, a], [, b]) => b.waiting - a.waiting);
    this.#underway = new Map(sorted.slice(0, countMax));
    this.#gathering = new Map(sorted.slice(countMax));
    return [...this.#underway.values()];
  }

  /** Ends the exchange. Wants without an answer get none. */
  finish(): void {
    for (const want of this.#underway.values()) want.settle('unavailable');
    this.#underway = new Map();
  }

  /** Ends all wants, because events-service cannot be called. The waiting requests go on without money. */
  abandon(): void {
    for (const want of this.#gathering.values()) want.settle('unavailable');
    this.#gathering.clear();
  }
}
