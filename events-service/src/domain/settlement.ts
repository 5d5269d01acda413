import { dayOf, hourOf } from '@placard/service-kit/pure';
import type { EventRow } from './event-row.js';

/** Who has an account. `platform` and `deposits` have one each, whose id is their kind. */
export type AccountKind = 'advertiser' | 'publisher' | 'platform' | 'deposits';

/** One line of a booking: a positive amount adds to what the account has. */
export interface LedgerEntry {
  readonly transactionId: string;
  readonly accountKind: AccountKind;
  readonly accountId: string;
  /** UTC day (since 1970) to which it counts. */
  readonly day: number;
  readonly amountNanos: bigint;
}

/** A change of an account, of all entries of one day together. */
export interface AccountDaySum {
  readonly accountKind: AccountKind;
  readonly accountId: string;
  readonly day: number;
  readonly sumNanos: bigint;
  readonly entries: number;
}

/** What one hour's counts of one combination grow by. */
export interface EventHourCount {
  /** Hours since 1970, of the event. */
  readonly hour: number;
  readonly publisherId: string;
  readonly appId: string;
  readonly placement: string;
  readonly format: string;
  readonly country: string;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly creativeId: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly rewards: number;
  readonly spendNanos: bigint;
  readonly revenueNanos: bigint;
}

/** What one hour's fallbacks of one placement and reason grow by: of those that the release before stored as rows. */
export interface FallbackHourCount {
  readonly hour: number;
  readonly publisherId: string;
  readonly appId: string;
  readonly placement: string;
  readonly format: string;
  readonly reason: string;
  readonly fallbacks: number;
}

/** What a campaign's settled spend of one day grows by. */
export interface CampaignDaySpend {
  readonly advertiserId: string;
  readonly campaignId: string;
  /** UTC day (since 1970) of the ad request. */
  readonly day: number;
  readonly impressions: number;
  readonly spendNanos: bigint;
}

/** Everything that settling a group of events writes, each list without two lines of one key. */
export interface Settlement {
  readonly entries: readonly LedgerEntry[];
  readonly accountDays: readonly AccountDaySum[];
  readonly eventHours: readonly EventHourCount[];
  readonly fallbackHours: readonly FallbackHourCount[];
  readonly campaignDays: readonly CampaignDaySpend[];
}

/** The three entries of a settled impression; they sum to zero. Contract: docs/contract/money.md#ledger. */
export function toEntries(row: EventRow): readonly LedgerEntry[] {
  const transactionId = row.requestId;
  const day = dayOf(row.arrivedAtMs);
  const advertiserId = row.advertiserId ?? '';
  const platformNanos = row.costNanos - row.publisherNanos;
  return [
    { transactionId, day, accountKind: 'advertiser', accountId: advertiserId, amountNanos: -row.costNanos },
    {
      transactionId,
      day,
      accountKind: 'publisher',
      accountId: row.publisherId,
      amountNanos: row.publisherNanos,
    },
    { transactionId, day, accountKind: 'platform', accountId: 'platform', amountNanos: platformNanos },
  ];
}

/**
 * What settling these rows writes. The rows are accepted, live, and not settled before: what was settled already must
 * have been left out. A reward counts only when it was completed. Contract: docs/contract/money.md#exactly-once,
 * docs/contract/reports.md#rewards.
 */
export function planSettlement(rows: readonly EventRow[]): Settlement {
  const impressions = rows.filter((row) => row.type === 'impression');
  const entries = impressions.flatMap(toEntries);
  return {
    entries,
    accountDays: sumEntries(entries),
    eventHours: merge(
      rows.filter((row) => row.type !== 'fallback' && row.completion !== false).map(toEventHour),
      hourKey,
      addEventHours,
    ),
    fallbackHours: merge(
      rows.filter((row) => row.type === 'fallback').map(toFallbackHour),
      (count) =>
        [count.hour, count.publisherId, count.appId, count.placement, count.format, count.reason].join('\n'),
      (a, b) => ({ ...a, fallbacks: a.fallbacks + b.fallbacks }),
    ),
    campaignDays: merge(
      impressions.map(toCampaignDay),
      (spend) => [spend.advertiserId, spend.campaignId, spend.day].join('\n'),
      (a, b) => ({
        ...a,
        impressions: a.impressions + b.impressions,
        spendNanos: a.spendNanos + b.spendNanos,
      }),
    ),
  };
}

/** Entries of one account and day as one sum each. */
export function sumEntries(entries: readonly LedgerEntry[]): readonly AccountDaySum[] {
  return merge(
    entries.map(({ accountKind, accountId, day, amountNanos }) => {
      return { accountKind, accountId, day, sumNanos: amountNanos, entries: 1 };
    }),
    (sum) => [sum.accountKind, sum.accountId, sum.day].join('\n'),
    (a, b) => ({ ...a, sumNanos: a.sumNanos + b.sumNanos, entries: a.entries + b.entries }),
  );
}

function merge<T>(items: readonly T[], keyOf: (item: T) => string, add: (a: T, b: T) => T): readonly T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = merged.get(key);
    merged.set(key, known === undefined ? item : add(known, item));
  }
  return [...merged.values()];
}

function toEventHour(row: EventRow): EventHourCount {
  return {
    hour: hourOf(row.arrivedAtMs),
    publisherId: row.publisherId,
    appId: row.appId,
    placement: row.placement,
    format: row.format,
    country: row.country ?? '',
    advertiserId: row.advertiserId ?? '',
    campaignId: row.campaignId ?? '',
    creativeId: row.creativeId ?? '',
    impressions: row.type === 'impression' ? 1 : 0,
    clicks: row.type === 'click' ? 1 : 0,
    rewards: row.type === 'reward' ? 1 : 0,
    spendNanos: row.costNanos,
    revenueNanos: row.publisherNanos,
  };
}

function hourKey(count: EventHourCount): string {
  const { hour, publisherId, appId, placement, format, country, advertiserId, campaignId, creativeId } =
    count;
  return [hour, publisherId, appId, placement, format, country, advertiserId, campaignId, creativeId].join(
    '\n',
  );
}

function addEventHours(a: EventHourCount, b: EventHourCount): EventHourCount {
  return {
    ...a,
    impressions: a.impressions + b.impressions,
    clicks: a.clicks + b.clicks,
    rewards: a.rewards + b.rewards,
    spendNanos: a.spendNanos + b.spendNanos,
    revenueNanos: a.revenueNanos + b.revenueNanos,
  };
}

function toFallbackHour(row: EventRow): FallbackHourCount {
  return {
    hour: hourOf(row.arrivedAtMs),
    publisherId: row.publisherId,
    appId: row.appId,
    placement: row.placement,
    format: row.format,
    reason: row.fallbackReason ?? '',
    fallbacks: 1,
  };
}

function toCampaignDay(row: EventRow): CampaignDaySpend {
  return {
    advertiserId: row.advertiserId ?? '',
    campaignId: row.campaignId ?? '',
    day: row.day,
    impressions: 1,
    spendNanos: row.costNanos,
  };
}
