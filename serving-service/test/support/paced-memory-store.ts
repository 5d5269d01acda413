import { dayOf, minuteOf, type CampaignId } from '@placard/service-kit/pure';
import {
  fillMinute,
  type CampaignMinute,
  type FillTime,
  type ReserveFinding,
  type ReserveItem,
} from '../../src/domain/budget.js';
import type { PaceAnchor } from '../../src/domain/pacing/pace.js';
import { likelySpend } from '../../src/domain/pacing/plan.js';
import type { BudgetStore } from '../../src/store/budget-store.js';
import type { PaceStore } from '../../src/store/pace-store.js';

/** What a simulated day needs of the stores. */
export type PacedStore = Pick<BudgetStore, 'reserve' | 'markShown' | 'minutesOver' | 'closeMinute'> &
  PaceStore;

interface OpenMinute {
  readonly minute: CampaignMinute;
  reserved: number;
  shown: number;
  late: number;
}

/** The counters of one campaign on one day, as `budget-reserve.lua` keeps them. */
interface Counters {
  used: number;
  shown: number;
  freshMinute: number;
  fresh: number;
  freshBefore: number;
  base: number;
  anchor: PaceAnchor | null;
  readonly minutes: Map<number, OpenMinute>;
  readonly closed: { shownNanos: number; unshownNanos: number; lateNanos: number };
}

/** The rules of the Redis scripts for days that fit into doubles, in memory: one day, daily budgets only. */
export function makePacedMemoryStore(): PacedStore {
  const all = new Map<CampaignId, Counters>();
  const of = (id: CampaignId): Counters => {
    let counters = all.get(id);
    if (counters === undefined) all.set(id, (counters = newCounters()));
    return counters;
  };
  return {
    reserve(items, time) {
      let isOver = false;
      const findings = items.map((item): ReserveFinding => {
        if (isOver) return { verdict: 'untried', anchor: null };
        const finding = reserveOne(of(item.campaignId), item, time);
        isOver = finding.verdict === 'reserved' || finding.verdict === 'anchor';
        return finding;
      });
      return Promise.resolve(findings);
    },
    markShown(fill, atMs) {
      noteShown(of(fill.campaignId), { minute: fillMinute(fill), atMs, cost: Number(fill.costNanos) });
      return Promise.resolve();
    },
    minutesOver(overAtMs, countMax) {
      const open = [...all.values()].flatMap(({ minutes }) => [...minutes.values()]);
      const over = open.map(({ minute }) => minute).filter(({ expiresAtMs }) => expiresAtMs <= overAtMs);
      return Promise.resolve(over.slice(0, countMax));
    },
    closeMinute: (minute, acceptedNanos) =>
      Promise.resolve(BigInt(close(of(minute.campaignId), minute.minute, Number(acceptedNanos)))),
    closedFills: (campaigns) =>
      Promise.resolve(campaigns.map(({ campaignId }) => ({ ...of(campaignId).closed }))),
  };
}

function newCounters(): Counters {
  return {
    ...{ used: 0, shown: 0, freshMinute: -1, fresh: 0, freshBefore: 0, base: 0, anchor: null },
    minutes: new Map(),
    closed: { shownNanos: 0, unshownNanos: 0, lateNanos: 0 },
  };
}

function reserveOne(counters: Counters, item: ReserveItem, time: FillTime): ReserveFinding {
  const verdict = verdictOf(counters, item, time);
  if (verdict.verdict !== 'reserved') return verdict;
  const cost = Number(item.costNanos);
  const minute = minuteOf(time.filledAtMs);
  turnTo(counters, minute);
  counters.fresh += cost;
  counters.used += cost;
  const { campaignId, advertiserId } = item;
  const open = counters.minutes.get(minute);
  const isLater = { campaignId, advertiserId, minute, expiresAtMs: time.expiresAtMs };
  counters.minutes.set(minute, {
    minute: isLater,
    reserved: (open?.reserved ?? 0) + cost,
    shown: open?.shown ?? 0,
    late: open?.late ?? 0,
  });
  return verdict;
}

function verdictOf(counters: Counters, item: ReserveItem, { filledAtMs }: FillTime): ReserveFinding {
  const { pace, dayRoomNanos } = item;
  const cost = Number(item.costNanos);
  if (dayRoomNanos !== null && counters.used > Number(dayRoomNanos)) return { verdict: 'day', anchor: null };
  if (pace === null) return { verdict: 'reserved', anchor: null };
  const isFresh = counters.freshMinute === minuteOf(filledAtMs);
  const isNext = counters.freshMinute === minuteOf(filledAtMs) - 1;
  const fresh = isFresh ? counters.fresh + counters.freshBefore : isNext ? counters.fresh : 0;
  const { used, shown } = counters;
  const likely = likelySpend({ spent: shown, open: used - shown, fresh }, pace.limits);
  const anchor = anchorFor(counters, pace, { atMs: filledAtMs, likely });
  if (used === 0) return { verdict: 'reserved', anchor: null };
  if (pace.anchor?.atMs !== anchor.atMs || pace.anchor.spentNanos !== anchor.spentNanos) {
    return { verdict: 'anchor', anchor };
  }
  if (likely + cost > pace.limits.planNanos) return { verdict: 'pace', anchor: null };
  const base = isFresh ? counters.base : used;
  const { mostNanos } = pace.limits;
  if (mostNanos !== null && used + cost > base + mostNanos) return { verdict: 'pace', anchor: null };
  return { verdict: 'reserved', anchor: null };
}

function anchorFor(
  counters: Counters,
  { budgetNanos, anchorSinceMs }: NonNullable<ReserveItem['pace']>,
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
  counters.base = counters.used;
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
