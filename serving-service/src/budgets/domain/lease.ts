import { HOUR_MS, MINUTE_MS, SECOND_MS, type CampaignId, type Nanos } from '@placard/service-kit/pure';
import type { LeaseAnswer } from './lease-want.js';

/** Requests use the minute of their own start; so long after its minute a lease is ended. */
export const ENDED_AFTER_MS = 2 * SECOND_MS;
/** A lease is remembered so long after its minute: a request that was filled in it may still give its money back. */
const REMEMBERED_MS = 30 * SECOND_MS;
/** So long after its minute an unanswered question is asked again: the answer says what was granted, if anything. */
const UNANSWERED_MS = HOUR_MS;
/** A slice of scarce money that nobody used for so long is returned, so that others can sell it. */
const SCARCE_IDLE_MS = SECOND_MS;

/** What a replica has done with a lease; all sums are over the lease's life. */
export interface LeaseReport {
  readonly campaignId: CampaignId;
  /** Of the fills, since the epoch. */
  readonly minute: number;
  readonly filledNanos: Nanos;
  /** What it will never fill. */
  readonly returnedNanos: Nanos;
  /** Nothing more will be granted. */
  readonly isEnded: boolean;
}

/** What an answer says of a lease. */
export type GrantAnswer = Pick<LeaseAnswer, 'verdict' | 'grantedNanos' | 'isScarce'>;

/**
 * A slice of a campaign's budget for the fills of one minute by this process. What was returned is never filled, not even
 * when the return could not be reported yet.
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
  /** What was left after the last grant or refusal: at half of it more is asked for. */
  #sliceNanos: Nanos = 0n;
  /** Most that was asked for without an answer: it may be granted. Null: every question was answered. */
  #unansweredNanos: Nanos | null = null;
  /** Whether what the next answer brings was asked for under terms that no longer hold. */
  #isForfeit = false;
  /** Whether a lease of this name may have been here before: the clock has jumped. */
  readonly #isReopened: boolean;

  constructor(campaignId: CampaignId, minute: number, isReopened = false) {
    this.campaignId = campaignId;
    this.minute = minute;
    this.#isReopened = isReopened;
  }

  /** The sum of all grants that are known. */
  get grantedNanos(): Nanos {
    return this.#grantedNanos;
  }

  /** What can still be filled. */
  get leftNanos(): Nanos {
    return this.#grantedNanos - this.#filledNanos - this.#returnedNanos;
  }

  get unansweredNanos(): Nanos | null {
    return this.#unansweredNanos;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether half of the last slice is used up. */
  get isHalfUsed(): boolean {
    return this.#sliceNanos > 0n && 2n * this.leftNanos <= this.#sliceNanos;
  }

  /** Takes the price of one fill; false: there is not enough. */
  take(costNanos: Nanos, nowMs: number): boolean {
    if (this.leftNanos < costNanos) return false;
    this.#filledNanos += costNanos;
    this.#usedAtMs = nowMs;
    return true;
  }

  /** Takes a fill back that came to nothing. What comes back after the end is returned. */
  giveBack(costNanos: Nanos): void {
    this.#filledNanos -= costNanos;
    if (this.#isEnded) this.returnRest();
  }

  /** Notes that no answer came to a question for so much in sum. */
  noteUnanswered(grantedMaxNanos: Nanos): void {
    if (grantedMaxNanos > (this.#unansweredNanos ?? 0n)) this.#unansweredNanos = grantedMaxNanos;
  }

  /**
   * Takes in the sum of all grants; an answer that comes late or twice changes nothing. True: what it brought is given up,
   * since the lease has ended or the question was asked under terms that no longer hold.
   */
  noteAnswer(answer: GrantAnswer, nowMs: number): boolean {
    this.#unansweredNanos = null;
    // Its grants of before it was forgotten are filled or returned already: they are neither sold nor returned once more.
    if (this.#isReopened && answer.verdict === 'ended') {
      this.#isForfeit = false;
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

  /** Gives up what is left; false: nothing was. */
  returnRest(): boolean {
    const rest = this.leftNanos;
    if (rest <= 0n) return false;
    this.#returnedNanos += rest;
    this.#sliceNanos = 0n;
    return true;
  }

  /** Gives up what is left, and what the answer to an open question brings. */
  forfeit(): boolean {
    this.#isForfeit = this.#unansweredNanos !== null;
    return this.returnRest();
  }

  /** Gives up what is left and all further grants. */
  end(): void {
    this.returnRest();
    this.#sliceNanos = 0n;
    this.#isEnded = true;
  }

  /** Whether what is left should be returned: too little for one ad, or scarce and not used. */
  isIdle(costNanos: Nanos, nowMs: number): boolean {
    if (this.leftNanos < costNanos) return true;
    return this.#isScarce && Math.abs(nowMs - this.#usedAtMs) >= SCARCE_IDLE_MS;
  }

  /**
   * Whether it is to be ended: no request can use it any more, and what was granted is known. A clock that was set back leaves
   * leases of minutes that are far away.
   */
  isOver(nowMs: number): boolean {
    return this.#isPast(nowMs, this.#unansweredNanos === null ? ENDED_AFTER_MS : UNANSWERED_MS);
  }

  /** Whether it can be forgotten once its end was reported. */
  isForgettable(nowMs: number): boolean {
    return this.#isEnded && this.#isPast(nowMs, REMEMBERED_MS);
  }

  /** What is to be reported. */
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
