/** One identity of the books. */
export interface LedgerCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was compared; when it does not hold, the rows that break it. */
  readonly detail: string;
}

/** What console-service has booked as deposits of an advertiser. */
export interface AdvertiserFunds {
  readonly advertiserId: string;
  readonly fundedNanos: bigint;
}

/** Proves the books. Error `unavailable`. */
export interface VerificationStore {
  /** Every check, all of one snapshot, in a fixed order. */
  verify(funds: readonly AdvertiserFunds[]): Promise<readonly LedgerCheck[]>;
}
