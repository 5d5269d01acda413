import { formatNanos } from '@placard/service-kit/pure';

/** Counts by reason, without zeros. */
export type Counts = ReadonlyMap<string, bigint>;

/** The figures of a row. Null: the figure cannot be split or filtered by one of the keys. Money is nano-units. */
export interface Figures {
  readonly requests: bigint | null;
  readonly fills: bigint;
  readonly noFills: Counts | null;
  readonly impressions: bigint | null;
  readonly clicks: bigint | null;
  readonly rewards: bigint | null;
  /** By reason. */
  readonly fallbacks: Counts | null;
  readonly rejected: Counts | null;
  /** By status and code. */
  readonly errors: Counts | null;
  readonly spendNanos: bigint | null;
  readonly revenueNanos: bigint | null;
}

/** The figures of a split that has fills alone, without counts. */
export const NO_FIGURES: Figures = {
  requests: null,
  fills: 0n,
  noFills: null,
  impressions: null,
  clicks: null,
  rewards: null,
  fallbacks: null,
  rejected: null,
  errors: null,
  spendNanos: null,
  revenueNanos: null,
};

/** The figures of two rows together. A figure that one of them lacks is null. */
export function addFigures(one: Figures, other: Figures): Figures {
  return {
    requests: add(one.requests, other.requests),
    fills: one.fills + other.fills,
    noFills: addCounts(one.noFills, other.noFills),
    impressions: add(one.impressions, other.impressions),
    clicks: add(one.clicks, other.clicks),
    rewards: add(one.rewards, other.rewards),
    fallbacks: addCounts(one.fallbacks, other.fallbacks),
    rejected: addCounts(one.rejected, other.rejected),
    errors: addCounts(one.errors, other.errors),
    spendNanos: add(one.spendNanos, other.spendNanos),
    revenueNanos: add(one.revenueNanos, other.revenueNanos),
  };
}

function add(one: bigint | null, other: bigint | null): bigint | null {
  return one === null || other === null ? null : one + other;
}

function addCounts(one: Counts | null, other: Counts | null): Counts | null {
  if (one === null || other === null) return null;
  const sums = new Map(one);
  for (const [reason, count] of other) sums.set(reason, (sums.get(reason) ?? 0n) + count);
  return sums;
}

/** The sum of counts by reason. */
export function totalOf(counts: Counts): bigint {
  return [...counts.values()].reduce((sum, count) => sum + count, 0n);
}

/** The ratios of a row as decimal texts. Null: a part is missing, or the divisor is 0. */
export interface Ratios {
  /** Fills ÷ requests, six decimals. */
  readonly fillRate: string | null;
  /** Impressions ÷ fills, six decimals. */
  readonly showRate: string | null;
  /** Clicks ÷ impressions, six decimals. */
  readonly ctr: string | null;
  /** Revenue of publishers for 1,000 impressions, nine decimals in the account currency. */
  readonly ecpm: string | null;
}

const RATE_DECIMALS = 6;
const RATE_ONE = 10n ** BigInt(RATE_DECIMALS);
const MILLE = 1_000n;

/** Computes the ratios, rounded to the nearest last decimal. Contract: docs/contract/reports.md#ratios. */
export function ratiosOf({ requests, fills, impressions, clicks, revenueNanos }: Figures): Ratios {
  return {
    fillRate: rate(fills, requests),
    showRate: rate(impressions, fills),
    ctr: rate(clicks, impressions),
    ecpm:
      revenueNanos === null || impressions === null || impressions === 0n
        ? null
        : formatNanos(rounded(revenueNanos * MILLE, impressions)),
  };
}

function rate(part: bigint | null, whole: bigint | null): string | null {
  if (part === null || whole === null || whole === 0n) return null;
  const millionths = rounded(part * RATE_ONE, whole);
  return `${millionths / RATE_ONE}.${(millionths % RATE_ONE).toString().padStart(RATE_DECIMALS, '0')}`;
}

/** A quotient of numbers that are not negative, rounded to the nearest. */
function rounded(part: bigint, whole: bigint): bigint {
  return (part + whole / 2n) / whole;
}
