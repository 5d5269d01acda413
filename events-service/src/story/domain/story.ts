import type {
  AccountId,
  AdEventType,
  AdFormat,
  AdvertiserId,
  AppId,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
} from '@placard/service-kit/pure';
import type { StoredVerdict } from '../../events/domain/event.js';
import type { AccountKind } from '../../ledger/domain/ledger-entry.js';

/** A stored event of an ad. Instants are epoch ms, amounts nano-units. */
export interface StoredEvent {
  readonly type: AdEventType;
  readonly verdict: StoredVerdict;
  /** The broken fraud rule of a suspicious event. */
  readonly rule: string | null;
  readonly isTest: boolean;
  readonly arrivedAtMs: number;
  /** Null: it waits for the settlement worker. Events that move no money are settled from the start. */
  readonly settledAtMs: number | null;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  readonly country: string | null;
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  readonly creativeId: CreativeId;
  /** The price and the publisher's share of an impression; 0 for other events and for test ads. */
  readonly costNanos: bigint;
  readonly publisherNanos: bigint;
  /** Of a reward; null for other events. */
  readonly completion: boolean | null;
  /** W3C `traceparent` of the request that reported it. Null: that was not traced. */
  readonly traceparent: string | null;
}

/** The booking of an impression. Its entries sum to zero. */
export interface StoredBooking {
  readonly bookedAtMs: number;
  readonly entries: readonly {
    readonly kind: AccountKind;
    readonly id: AccountId;
    readonly amountNanos: bigint;
  }[];
}

/** The lease that pays for an ad. */
export interface StoredLease {
  readonly run: string;
  /** Whole minutes since 1970. */
  readonly minute: number;
  /** When the last ad of the minute is over. */
  readonly expiresAtMs: number;
  /** Null: the lease is open. */
  readonly closedAtMs: number | null;
}

/** What the tables of events-service hold of one ad. */
export interface StoredStory {
  /** At most one of each type, in the order of their arrival. */
  readonly events: readonly StoredEvent[];
  /** Null: nothing is booked. */
  readonly booking: StoredBooking | null;
  /** Null: no impression is stored, or its lease was removed some time after its close. */
  readonly lease: StoredLease | null;
  /** True: the events of the day of the ad request were dropped at the end of their retention. */
  readonly isDropped: boolean;
}
