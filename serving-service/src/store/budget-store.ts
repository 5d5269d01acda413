import type { AdvertiserId, Nanos } from '@placard/service-kit/pure';
import type {
  BudgetSeed,
  CampaignMinute,
  FillTime,
  ReservedFill,
  ReserveFinding,
  ReserveItem,
} from '../domain/budget.js';

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
  /** Sets the counters that are missing and leaves the others alone. Answers how many counters were set. */
  seed(seed: BudgetSeed): Promise<number>;
  /** Whether the advertiser's own counter is there: where it is missing, the store has lost its memory or is new. */
  isKnown(advertiserId: AdvertiserId): Promise<boolean>;
  /** Minutes that are not closed and whose last fill was over at `overAtMs`, oldest first, in any shard. */
  minutesOver(overAtMs: number, countMax: number): Promise<readonly CampaignMinute[]>;
  /**
   * Gives back what a minute reserved beyond its accepted sum and forgets the minute, once its campaign has learned from
   * it. Answers what was given back.
   */
  closeMinute(minute: CampaignMinute, acceptedNanos: Nanos): Promise<Nanos>;
  /** Minutes that are not closed yet, in all shards. */
  countOpenMinutes(): Promise<number>;
  /** What the advertiser's counter holds; null when it is missing. */
  advertiserUsed(advertiserId: AdvertiserId): Promise<Nanos | null>;
}
