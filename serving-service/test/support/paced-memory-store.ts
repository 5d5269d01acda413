import {
  dayOf,
  minuteOf,
  type CampaignId,
  type PaceAnchor,
  likelySpend,
  NO_CLOSED_FILLS,
  type ClosedFills,
} from '@placard/service-kit/pure';
import type { LeaseVerdict, LeaseWant, WantPace } from '../../src/budgets/domain/lease-want.js';

/** A fill as it is reported when it is shown. */
export interface PacedFill {
  readonly campaignId: CampaignId;
  readonly costNanos: bigint;
  readonly filledAtMs: number;
}

/** The result for one ad. With `anchor` comes the valid anchor. */
export interface PacedFinding {
  readonly verdict: LeaseVerdict;
  readonly anchor: PaceAnchor | null;
}

interface OpenMinute {
  readonly expiresAtMs: number;
  reserved: number;
  shown: number;
  late: number;
}

/** The counters of one campaign on one day, as grants use them. */
interface Counters {
  used: number;
  shown: number;
  freshMinute: number;
  fresh: number;
  freshBefore: number;
  anchor: PaceAnchor | null;
  readonly minutes: Map<number, OpenMinute>;
  readonly closed: { -readonly [Key in keyof ClosedFills]: ClosedFills[Key] };
}

/** The rules of grants in doubles, one ad at a time, for one day and daily budgets only. */
export class PacedMemoryStore {
  readonly #all = new Map<CampaignId, Counters>();

  /** Grants one ad, or answers the reason against it. */
  reserve(want: LeaseWant, filledAtMs: number): PacedFinding {
    return reserveOne(this.#of(want.campaignId), want, filledAtMs);
  }

  markShown({ campaignId, costNanos, filledAtMs }: PacedFill, atMs: number): void {
    noteShown(this.#of(campaignId), { minute: minuteOf(filledAtMs), atMs, cost: Number(costNanos) });
  }

  /** Closes the minutes whose last ad had expired by then. Reports the money that each returns. */
  closeDue(
    overAtMs: number,
    acceptedOf: (id: CampaignId, minute: number) => number,
    onClosed: (id: CampaignId, back: number) => void,
  ): void {
    for (const [id, counters] of this.#all) {
      for (const [minute, { expiresAtMs }] of [...counters.minutes]) {
        if (expiresAtMs <= overAtMs) onClosed(id, close(counters, minute, acceptedOf(id, minute)));
      }
    }
  }

  closedFills(id: CampaignId): ClosedFills {
    return { ...this.#of(id).closed };
  }

  #of(id: CampaignId): Counters {
    let counters = this.#all.get(id);
    if (counters === undefined) this.#all.set(id, (counters = newCounters()));
    return counters;
  }
}

function newCounters(): Counters {
  return {
    used: 0,
    shown: 0,
    freshMinute: -1,
    fresh: 0,
    freshBefore: 0,
    anchor: null,
    minutes: new Map(),
    closed: { ...NO_CLOSED_FILLS },
  };
}

function reserveOne(counters: Counters, want: LeaseWant, filledAtMs: number): PacedFinding {
  const finding = findingOf(counters, want, filledAtMs);
  if (finding.verdict !== 'granted') return finding;
  const cost = Number(want.costNanos);
  turnTo(counters, want.minute);
  counters.fresh += cost;
  counters.used += cost;
  const open = counters.minutes.get(want.minute) ?? { reserved: 0, shown: 0, late: 0 };
  const { expiresAtMs } = want;
  counters.minutes.set(want.minute, { ...open, expiresAtMs, reserved: open.reserved + cost });
  return finding;
}

function findingOf(counters: Counters, want: LeaseWant, filledAtMs: number): PacedFinding {
  const { pace, dailyLimitNanos, minute } = want;
  const cost = Number(want.costNanos);
  const { used, shown } = counters;
  if (dailyLimitNanos !== null && used + cost > Number(dailyLimitNanos))
    return { verdict: 'day', anchor: null };
  if (pace === null) return { verdict: 'granted', anchor: null };
  const isFresh = counters.freshMinute === minute;
  const isNext = counters.freshMinute === minute - 1;
  const fresh = isFresh ? counters.fresh + counters.freshBefore : isNext ? counters.fresh : 0;
  const likely = likelySpend({ spent: shown, open: used - shown, fresh }, pace.limits);
  const anchor = anchorFor(counters, pace, { atMs: filledAtMs, likely });
  if (used === 0) return { verdict: 'granted', anchor: null };
  if (pace.anchor?.atMs !== anchor.atMs || pace.anchor.spentNanos !== anchor.spentNanos) {
    return { verdict: 'anchor', anchor };
  }
  if (likely + cost > pace.limits.planNanos) return { verdict: 'pace', anchor: null };
  const { mostNanos } = pace.limits;
  const ofMinute = counters.minutes.get(minute)?.reserved ?? 0;
  if (mostNanos !== null && ofMinute + cost > mostNanos) return { verdict: 'pace', anchor: null };
  return { verdict: 'granted', anchor: null };
}

function anchorFor(
  counters: Counters,
  { budgetNanos, anchorSinceMs }: WantPace,
  now: { readonly atMs: number; readonly likely: number },
): PaceAnchor {
  const { anchor } = counters;
  const holds =
    anchor?.budgetNanos === budgetNanos &&
    dayOf(anchor.atMs) === dayOf(now.atMs) &&
    (anchorSinceMs === null || anchor.atMs >= anchorSinceMs);
  if (holds) return anchor;
  const spentNanos = BigInt(Math.round(Math.max(0, Math.min(now.likely, Number(budgetNanos)))));
  counters.anchor = { atMs: now.atMs, spentNanos, budgetNanos };
  return counters.anchor;
}

function turnTo(counters: Counters, minute: number): void {
  if (counters.freshMinute === minute) return;
  counters.freshBefore = counters.freshMinute === minute - 1 ? counters.fresh : 0;
  counters.fresh = 0;
  counters.freshMinute = minute;
}

function noteShown(
  counters: Counters,
  fill: { readonly minute: number; readonly atMs: number; readonly cost: number },
): void {
  const { minute, atMs, cost } = fill;
  const open = counters.minutes.get(minute);
  if (open === undefined) return;
  counters.shown += cost;
  open.shown += cost;
  if (minuteOf(atMs) > minute + 1) open.late += cost;
  if (counters.freshMinute === minute) counters.fresh -= cost;
  else if (counters.freshMinute === minute + 1) counters.freshBefore -= cost;
}

function close(counters: Counters, minute: number, accepted: number): number {
  const open = counters.minutes.get(minute);
  if (open === undefined) return 0;
  counters.minutes.delete(minute);
  const back = open.reserved - accepted;
  counters.used -= back;
  counters.shown += accepted - open.shown;
  counters.closed.shownNanos += accepted;
  counters.closed.unshownNanos += Math.max(0, back);
  counters.closed.lateNanos += Math.min(open.late, accepted);
  return back;
}
