import type { ReportRow } from '../../src/reports/domain/report.js';

/** A row with all figures side by side, and fallbacks of all reasons together. */
export function flat({ events, fallbacks, ...row }: ReportRow) {
  const {
    impressions = null,
    clicks = null,
    rewards = null,
    spendNanos = null,
    revenueNanos = null,
  } = events ?? {};
  const sum = (counts: ReadonlyMap<string, bigint>): bigint =>
    [...counts.values()].reduce((total, count) => total + count, 0n);
  return {
    ...row,
    impressions,
    clicks,
    rewards,
    spendNanos,
    revenueNanos,
    fallbacks: fallbacks === null ? null : sum(fallbacks),
  };
}
/** What {@link flat} answers. */
export type FlatRow = ReturnType<typeof flat>;
