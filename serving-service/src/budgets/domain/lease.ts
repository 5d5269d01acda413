import { HOUR_MS, MINUTE_MS, SECOND_MS, type CampaignId, type Nanos } from '@placard/service-kit/pure';
import type { LeaseAnswer } from './lease-want.js';

/** A lease is ended this long after its minute. Until then, requests that started in the minute may use it. */
export const ENDED_AFTER_MS = 2 * SECOND_MS;
/**
 * A lease is kept this long after its minute, because a request that was filled from it may still give its money back.
 */
const REMEMBERED_MS = 30 * SECOND_MS;
/** A want without an answer is repeated until this long after its minute. The answer contains the grants. */
const UNANSWERED_MS = HOUR_MS;
/** Scarce money that is unused for this long is returned, so that other replicas can sell it. */
const SCARCE_IDLE_MS = SECOND_MS;

/** The use of a lease. All sums are over the life of the lease. */
export interface LeaseReport {
  readonly campaignId: CampaignId;
  /** The minute of the fills, since the epoch. */
  readonly minute: number;
  readonly filledNanos: Nanos;
  /** Money that the replica will not spend. */
  readonly returnedNanos: Nanos;
  /** True: the lease takes no more grants. */
  readonly isEnded: boolean;
}

/** The part of an answer that concerns a lease. */
export type GrantAnswer = Pick<LeaseAnswer, 'verdict' | 'grantedNanos' | 'isScarce'>;

/**
 * A slice of a campaign's budget for the fills of this process in one minute. Returned money is never spent, even
 * before the return could be reported.
 */
export class Lease {
  readonly campaignId: CampaignId;
  readonly minute: number;
  #grantedNanos: Nanos = 0n;
  #filledNanos: Nanos = 0n;
  #returnedNanos: Nanos = 0n;
  #isEnded = false;
  #isScarce = false;
  #usedAtMs = 0;
  /** Money left after the last grant or refusal. At half of it the process asks for more. */
  #sliceNanos: Nanos = 0n;
  /** Largest want without an answer. It may have been granted. Null: every want was answered. */
  #unansweredNanos: Nanos | null = null;
  /** True: the want of the next answer was made under terms that have changed since. */
  #isForfeit = false;
  /** True: an earlier lease may have had the same key, because the clock has jumped. */
  readonly #isReopened: boolean;

  constructor(campaignId: CampaignId, minute: number, isReopened = false) {
    this.campaignId = campaignId;
    this.minute = minute;
    this.#isReopened = isReopened;
  }

  /** The sum of all known grants. */
  get grantedNanos(): Nanos {
    return this.#grantedNanos;
  }

  /** Money that can still be spent. */
  get leftNanos(): Nanos {
    return this.#grantedNanos - this.#filledNanos - this.#returnedNanos;
  }

  get unansweredNanos(): Nanos | null {
    return this.#unansweredNanos;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True: half of the last slice is used. */
  get isHalfUsed(): boolean {
    return this.#sliceNanos > 0n && 2n * this.leftNanos <= this.#sliceNanos;
  }

  /** Takes the price of one fill. False: there is not enough money. */
  take(costNanos: Nanos, nowMs: number): boolean {
    if (this.leftNanos < costNanos) return false;
    this.#filledNanos += costNanos;
    this.#usedAtMs = nowMs;
    return true;
  }

  /** Takes the price of a fill back that was not made. After the end of the lease it is returned. */
  giveBack(costNanos: Nanos): void {
    this.#filledNanos -= costNanos;
    if (this.#isEnded) this.returnRest();
  }

  /** Records that a want for this sum got no answer. */
  noteUnanswered(grantedMaxNanos: Nanos): void {
    if (grantedMaxNanos > (this.#unansweredNanos ?? 0n)) this.#unansweredNanos = grantedMaxNanos;
  }

  /**
   * Records the sum of all grants. A late or repeated answer changes nothing. True: the grants are returned, because
   * the lease has ended or the want was made under terms that have changed since.
   */
  noteAnswer(answer: GrantAnswer, nowMs: number): boolean {
    this.#unansweredNanos = null;
    // The grants of the earlier lease are spent or returned already. They are neither sold nor returned again.
    if (this.#isReopened && answer.verdict === 'ended') {
      this.end();
      return this.#grantedNanos > 0n;
    }
    if (answer.grantedNanos > this.#grantedNanos) {
      this.#grantedNanos = answer.grantedNanos;
      this.#isScarce = answer.isScarce;
      this.#usedAtMs = nowMs;
    }
    const isGivenUp = this.#isEnded || this.#isForfeit;
    if (isGivenUp) this.returnRest();
    this.#isForfeit = false;
    this.#sliceNanos = this.leftNanos;
    return isGivenUp;
  }

  /** Returns the remaining money. False: there is none. */
  returnRest(): boolean {
    const rest = this.leftNanos;
    if (rest <= 0n) return false;
    this.#returnedNanos += rest;
    this.#sliceNanos = 0n;
    return true;
  }

  /** Returns the remaining money, and later the grants of a want that is still open. */
  forfeit(): boolean {
    this.#isForfeit = this.#unansweredNanos !== null;
    return this.returnRest();
  }

  /** Returns the remaining money and all later grants. */
  end(): void {
    this.returnRest();
    this.#sliceNanos = 0n;
    this.#isEnded = true;
  }

  /** Whether the remaining money should be returned: it is too little for one ad, or scarce and unused. */
  isIdle(costNanos: Nanos, nowMs: number): boolean {
    if (this.leftNanos < costNanos) return true;
    return this.#isScarce && Math.abs(nowMs - this.#usedAtMs) >= SCARCE_IDLE_MS;
  }

  /**
   * Whether to end the lease: no request can use it any more, and all grants are known. After the clock was set back,
   * this includes leases of minutes that are far away.
   */
  isOver(nowMs: number): boolean {
    return this.#isPast(nowMs, this.#unansweredNanos === null ? ENDED_AFTER_MS : UNANSWERED_MS);
  }

  /** Whether the lease can be removed once its end was reported. */
  isForgettable(nowMs: number): boolean {
    return this.#isEnded && this.#isPast(nowMs, REMEMBERED_MS);
  }

  /** The report of this lease. */
  report(): LeaseReport {
    const { campaignId, minute } = this;
    return {
      campaignId,
      minute,
      filledNanos: this.#filledNanos,
      returnedNanos: this.#returnedNanos,
      isEnded: this.#isEnded,
    };
  }

  #isPast(nowMs: number, afterMs: number): boolean {
    const startMs = this.minute * MINUTE_MS;
    return nowMs >= startMs + MINUTE_MS + afterMs || nowMs < startMs - Math.max(MINUTE_MS, afterMs);
  }
}
