import {
  DAY_MS,
  HOUR_MS,
  type CampaignId,
  type CapPeriod,
  type FrequencyCap,
  type PlacementCode,
  type SessionId,
} from '@placard/service-kit/pure';

/** What a cap counts fills of, within one session: `p:<placement>`, `c:<campaign>` or `o`, those that are open. */
export type CapUnit = string & { readonly __unit: 'CapUnit' };

/** The unit of a placement. */
export function placementUnit(code: PlacementCode): CapUnit {
  return `p:${code}` as CapUnit;
}

/** The unit of a campaign. */
export function campaignUnit(id: CampaignId): CapUnit {
  return `c:${id}` as CapUnit;
}

/** Live fills that are neither shown nor over. Contract: docs/contract/selection.md#open-fills. */
export const OPEN_UNIT = 'o' as CapUnit;

/** How many fills of a session count at this moment, by unit; a unit that is not there has none. */
export type CapCounts = ReadonlyMap<CapUnit, number>;

/** Nothing counts, as far as is known. */
export const NO_COUNTS: CapCounts = new Map();

/** Whether one more fill of the unit would be too many. Contract: docs/contract/selection.md#frequency-cap. */
export function isCapped(counts: CapCounts, unit: CapUnit, cap: FrequencyCap | null): boolean {
  return cap !== null && (counts.get(unit) ?? 0) >= cap.count;
}

/** The session's life, as far as caps need it. */
export interface CapSession {
  readonly sessionId: SessionId;
  readonly sessionExpiresAtMs: number;
}

/**
 * Until when (epoch ms, excluded) a shown fill counts: `hour` and `day` roll and start at the fill, `session` is the
 * session's life. No longer than the session in any case: nobody asks after it.
 */
export function shownCountsUntil(period: CapPeriod, filledAtMs: number, sessionExpiresAtMs: number): number {
  if (period === 'session') return sessionExpiresAtMs;
  return Math.min(filledAtMs + (period === 'hour' ? HOUR_MS : DAY_MS), sessionExpiresAtMs);
}

/** Until when (epoch ms, excluded) a fill counts that can still be shown: its expiry, and never beyond the period. */
export function pendingCountsUntil(
  period: CapPeriod,
  fill: { readonly filledAtMs: number; readonly expiresAtMs: number },
  sessionExpiresAtMs: number,
): number {
  return Math.min(fill.expiresAtMs, shownCountsUntil(period, fill.filledAtMs, sessionExpiresAtMs));
}
