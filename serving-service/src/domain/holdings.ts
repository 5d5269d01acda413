import type { CampaignId, Nanos } from '@placard/service-kit/pure';
import { CLOSED_BY_MS } from './budget.js';
import type { HeldMinute } from './budget.js';

/** Campaigns that are shown by themselves. */
export const HOLDERS_MAX = 200;

/** Money and reservations that wait for their fate. */
export interface Holding {
  readonly heldNanos: Nanos;
  readonly openCount: number;
}

/** What campaigns hold: those that hold most by themselves, the rest together. */
export interface Holdings {
  readonly byCampaign: ReadonlyMap<CampaignId, Holding>;
  readonly others: Holding;
  /** Minutes that should be closed by now. Rulings: "Selection", reservation. */
  readonly overdueCount: number;
}

const NOTHING: Holding = { heldNanos: 0n, openCount: 0 };

/** Sums the minutes by campaign. */
export function holdingsOf(minutes: readonly HeldMinute[], nowMs: number): Holdings {
  const sums = new Map<CampaignId, Holding>();
  for (const minute of minutes) {
    sums.set(minute.campaignId, plus(sums.get(minute.campaignId) ?? NOTHING, holdingOf(minute)));
  }
  const sorted = [...sums].sort(([, a], [, b]) => compareNanos(b.heldNanos, a.heldNanos));
  return {
    byCampaign: new Map(sorted.slice(0, HOLDERS_MAX)),
    others: sorted.slice(HOLDERS_MAX).reduce((sum, [, holding]) => plus(sum, holding), NOTHING),
    overdueCount: minutes.filter(({ expiresAtMs }) => expiresAtMs + CLOSED_BY_MS < nowMs).length,
  };
}

function holdingOf({ reservedNanos, shownNanos, openCount }: HeldMinute): Holding {
  const heldNanos = reservedNanos - shownNanos;
  return { heldNanos: heldNanos < 0n ? 0n : heldNanos, openCount };
}

function plus(a: Holding, b: Holding): Holding {
  return { heldNanos: a.heldNanos + b.heldNanos, openCount: a.openCount + b.openCount };
}

function compareNanos(a: Nanos, b: Nanos): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
