/** A campaign-minute that is to be closed. */
export interface ClosingMinute {
  readonly campaignId: string;
  /** Minutes since 1970, of the fill. */
  readonly minute: number;
  /** When its last fill was over, epoch ms. */
  readonly expiresAtMs: number;
}

/** What was accepted of a campaign-minute. */
export interface AcceptedSum {
  readonly campaignId: string;
  readonly minute: number;
  /** False: the minute can still gain an impression, so the sum is not final. */
  readonly isOver: boolean;
  readonly acceptedNanos: bigint;
  readonly impressions: bigint;
}

/** A campaign's accepted spend of one day of ad requests. */
export interface CampaignSpend {
  readonly campaignId: string;
  /** UTC day since 1970. */
  readonly day: number;
  readonly spendNanos: bigint;
}

/** Reservations of a campaign-minute that can still gain an impression. */
export interface OpenMinute {
  readonly campaignId: string;
  readonly minute: number;
  /** At least what was accepted. */
  readonly reservedNanos: bigint;
  readonly acceptedNanos: bigint;
  /** Epoch ms. */
  readonly expiresAtMs: number;
}

/** An advertiser's spend and reservations at one moment. */
export interface AdvertiserSpend {
  readonly campaignDays: readonly CampaignSpend[];
  readonly openMinutes: readonly OpenMinute[];
}

/** What was spent, settled or not. Errors: `unavailable`. */
export interface SpendStore {
  acceptedSums(minutes: readonly ClosingMinute[]): Promise<readonly AcceptedSum[]>;
  /** All of one snapshot. */
  advertiserSpend(advertiserId: string): Promise<AdvertiserSpend>;
}
