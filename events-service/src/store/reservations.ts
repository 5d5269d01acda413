/** What serving-service's counters hold of a campaign-minute that is not over. */
export interface HeldMinute {
  readonly advertiserId: string;
  readonly campaignId: string;
  /** Minutes since 1970, of the fills. */
  readonly minute: number;
  /** Less what suspicious impressions gave back. */
  readonly reservedNanos: bigint;
  /** When the last fill is over, epoch ms. */
  readonly expiresAtMs: number;
}

/** What was known of a campaign-minute before it was compared, less what suspicious impressions gave back. */
export interface KnownMinute {
  readonly campaignId: string;
  readonly minute: number;
  /** Of reported fills, and at least what was accepted. */
  readonly reportedNanos: bigint;
  /** With what was found before; what is held beyond it was news. */
  readonly knownNanos: bigint;
}

/** Reservations that only counters know of. Errors: `unavailable`. */
export interface ReservationStore {
  /** Keeps what is held beyond what is known; doing it twice changes nothing. Each minute at most once. */
  record(minutes: readonly HeldMinute[]): Promise<readonly KnownMinute[]>;
}
