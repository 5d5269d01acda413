import {
  DAY_MS,
  HOUR_MS,
  type CampaignId,
  type CapPeriod,
  type FrequencyCap,
  type PlacementCode,
  type SessionId,
} from '@placard/service-kit/pure';

/** What a cap counts within one session: `p:<placement>`, `c:<campaign>`, or `o` for open fills. */
export type CapUnit = string & { readonly __unit: 'CapUnit' };

/** The unit of a placement. */
export function placementUnit(code: PlacementCode): CapUnit {
  return `p:${code}` as CapUnit;
}

/** The unit of a campaign. */
export function campaignUnit(id: CampaignId): CapUnit {
  return `c:${id}` as CapUnit;
}

/** Live fills that are neither shown nor expired. Contract: docs/contract/selection.md#open-fills. */
export const OPEN_UNIT = 'o' as CapUnit;

/** The number of fills of a session that currently count, by unit. A missing unit has none. */
export type CapCounts = ReadonlyMap<CapUnit, number>;

/** No counts, before they are read. */
export const NO_COUNTS: CapCounts = new Map();

/** Whether one more fill of the unit would be too many. Contract: docs/contract/selection.md#frequency-cap. */
export function isCapped(counts: CapCounts, unit: CapUnit, cap: FrequencyCap | null): boolean {
  return cap !== null && (counts.get(unit) ?? 0) >= cap.count;
}

/** The fields of a session that caps need. */
export interface CapSession {
  readonly sessionId: SessionId;
  readonly sessionExpiresAtMs: number;
}

/**
 * The instant (epoch ms, excluded) until which a shown fill counts. `hour` and `day` are rolling periods from the fill
 * on; `session` is the life of the session. A fill never counts longer than its session lives.
 */
export function shownCountsUntil(period: CapPeriod, filledAtMs: number, sessionExpiresAtMs: number): number {
  if (period === 'session') return sessionExpiresAtMs;
  return Math.min(filledAtMs + (period === 'hour' ? HOUR_MS : DAY_MS), sessionExpiresAtMs);
}

/**
 * The instant (epoch ms, excluded) until which an unshown fill counts: its expiry, but no later than the end of the
 * period.
 */
export function pendingCountsUntil(
  period: CapPeriod,
  fill: { readonly filledAtMs: number; readonly expiresAtMs: number },
  sessionExpiresAtMs: number,
): number {
  return Math.min(fill.expiresAtMs, shownCountsUntil(period, fill.filledAtMs, sessionExpiresAtMs));
}
