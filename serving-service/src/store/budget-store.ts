import type { AdvertiserId, Nanos } from '@placard/service-kit/pure';
import type {
  BudgetSeed,
  CampaignMinute,
  FillTime,
  HeldMinute,
  ReservedFill,
  ReserveFinding,
  ReserveItem,
} from '../domain/budget.js';

/** How long all replicas have to report their last fills after a loss under traffic: they report each second. */
export const QUIET_MS = 2_000;
/**
 * The same while reports fail or have failed a moment ago: then each replica has more to report, and does so only when a call
 * that hangs has been given up, by itself (2 seconds) or by events-service (6 seconds), and the next is made.
 */
export const LATE_QUIET_MS = 8_000;

/** Names the time since a shard's counters were made; each time its memory is lost another begins. */
export type Generation = string;

/** A shard that may be used. */
export interface OpenShard {
  readonly generation: Generation;
  /** True: all counters of the generation were made while no other replica ran, so no other can have fills to report. */
  readonly isAlone: boolean;
  /** How long other replicas may take to report fills from before the generation, ms. */
  readonly quietMs: number;
}

/**
 * What is spent and reserved, by campaign, campaign-day and advertiser. Every method is one atomic step, or several
 * where it says so, and throws when the store cannot be reached. Rulings: "Selection", budgets and reservation.
 */
export interface BudgetStore {
  /** Candidates of one atomic step must share a shard. */
  shardOf(advertiserId: AdvertiserId): number;
  /**
   * Reserves the cost of the first item (at most 8, all of one shard, in bid order) that fits all its limits: total,
   * day and balance together. Stops at an item that is `unknown` or has another `anchor`; it tells the unknown ones
   * behind it too.
   */
  reserve(items: readonly ReserveItem[], time: FillTime): Promise<readonly ReserveFinding[]>;
  /** What `reserve` would find for each item by itself; reserves nothing. */
  peek(items: readonly ReserveItem[], time: FillTime): Promise<readonly ReserveFinding[]>;
  /** Gives a fill's money back, once per request id; false when it was given back before or its minute is closed. */
  release(fill: ReservedFill): Promise<boolean>;
  /** Notes that a fill was shown at `atMs`, once per request id: for the pace only, no limit depends on it. */
  markShown(fill: ReservedFill, atMs: number): Promise<void>;
  /**
   * Makes the advertiser's shard usable for this replica: where it has lost its memory, or nobody can vouch for it, every
   * counter in it becomes unknown. To be called only when every fill that this replica counted is reported.
   */
  open(advertiserId: AdvertiserId): Promise<OpenShard>;
  /** Leaves a sign of life in each shard that this replica uses. Answers the shards that have lost their memory. */
  beat(): Promise<readonly number[]>;
  /** Opens a shard as {@link open} does. */
  openShard(shard: number): Promise<OpenShard>;
  /**
   * Sets the counters that are missing and leaves the others alone. Answers how many counters were set; null when the
   * shard's generation is another by now, so that the truth behind the seed may be too old.
   */
  seed(seed: BudgetSeed, generation: Generation): Promise<number | null>;
  /**
   * Makes every counter of the advertiser's shard unknown, since some of this generation were found to be wrong; they are
   * seeded anew. Nothing happens when the generation is another by now.
   */
  renew(advertiserId: AdvertiserId, generation: Generation): Promise<void>;
  /** The generation of the advertiser's shard; null: it has none. */
  generationOf(advertiserId: AdvertiserId): Promise<Generation | null>;
  /** Whether the advertiser's own counter is there: where it is missing, the store has lost its memory or is new. */
  isKnown(advertiserId: AdvertiserId): Promise<boolean>;
  /** Minutes that are not closed and whose last fill was over at `overAtMs`, oldest first, in any shard. */
  minutesOver(overAtMs: number, countMax: number): Promise<readonly CampaignMinute[]>;
  /**
   * Gives back what a minute reserved beyond its accepted sum and forgets the minute, once its campaign has learned from
   * it. Answers what was given back.
   */
  closeMinute(minute: CampaignMinute, acceptedNanos: Nanos): Promise<Nanos>;
  /** Lets a minute and its counters hold at least what is known to be reserved in it. Answers by how much they were raised. */
  raise(minute: CampaignMinute, reservedNanos: Nanos): Promise<Nanos>;
  /** Minutes that are not closed yet, in all shards. */
  countOpenMinutes(): Promise<number>;
  /** Minutes that are not closed yet, in all shards, those first whose last fill is over last; at most so many. */
  openMinutes(countMax: number): Promise<readonly CampaignMinute[]>;
  /** What these minutes hold, in their order; null where there is no such minute in the shard's generation. */
  heldBy(minutes: readonly CampaignMinute[]): Promise<readonly (HeldMinute | null)[]>;
  /** What the advertiser's counter holds; null when it is missing. */
  advertiserUsed(advertiserId: AdvertiserId): Promise<Nanos | null>;
}
