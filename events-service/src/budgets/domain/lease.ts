import { MINUTE_MS, dayOf, type AdvertiserId, type CampaignId } from '@placard/service-kit/pure';

/** A lease is closed this long after its last ad is over, so that an impression of the last moment has been stored. */
export const LEASE_GRACE_MS = 60_000;
/** A want's minute may be this far from the clock of this service: clocks of machines differ by seconds. */
export const MINUTES_APART_MAX = 2;

/** Names a lease: a campaign, the UTC minute of the fills (since 1970) and the life of the replica that fills. */
export interface LeaseKey {
  readonly campaignId: CampaignId;
  readonly minute: number;
  /** Empty: open fills of a release without leases. */
  readonly run: string;
}

/** A slice of a campaign's budget, as it is stored. Amounts are nano-units. */
export interface Lease extends LeaseKey {
  readonly advertiserId: AdvertiserId;
  readonly grantedNanos: bigint;
  /** What the replica will never fill. */
  readonly returnedNanos: bigint;
  /** The price of its fills, as the replica last reported it. */
  readonly filledNanos: bigint;
  readonly acceptedNanos: bigint;
  readonly suspiciousNanos: bigint;
  readonly lateNanos: bigint;
  /** Of suspicious impressions: what the sums have back already. */
  readonly releasedNanos: bigint;
  readonly isEnded: boolean;
  readonly isClosed: boolean;
}

/** What a replica says of a lease; sums over the lease's life, so that repeating is harmless. */
export interface LeaseReport {
  readonly campaignId: CampaignId;
  readonly minute: number;
  readonly filledNanos: bigint;
  readonly returnedNanos: bigint;
  readonly isEnded: boolean;
}

/** Where a plan begins. Epoch ms; nano-units. */
export interface PaceAnchor {
  readonly atMs: number;
  readonly spentNanos: bigint;
  readonly budgetNanos: bigint;
}

/** What a replica's plan allows. Doubles are exact enough here: limits are checked in whole nano-units. */
export interface WantPace {
  /** The anchor for which the plan was made; null: none was known. */
  readonly anchor: PaceAnchor | null;
  /** An anchor from before that, epoch ms, no longer holds; null: any may hold. */
  readonly anchorSinceMs: number | null;
  readonly budgetNanos: bigint;
  /** Likely spend of the day, the new fills included: at most this. */
  readonly planNanos: number;
  /** Granted for this minute, over all replicas: at most this. Null: no brake. */
  readonly mostNanos: number | null;
  /** Share of fresh fills (this minute, the one before) and of older open ones that are likely to be shown, 0 to 1. */
  readonly show: number;
  readonly late: number;
}

/** What a replica asks for. Limits as the catalog has them; null: no limit. */
export interface LeaseWant {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  readonly minute: number;
  /** Price of one ad, above zero. */
  readonly costNanos: bigint;
  /** The sum of all grants of this lease that is asked for. */
  readonly grantedMaxNanos: bigint;
  readonly totalLimitNanos: bigint | null;
  readonly dailyLimitNanos: bigint | null;
  readonly fundedNanos: bigint;
  /** When the last ad that the minute can hold would be over, epoch ms. */
  readonly expiresAtMs: number;
  /** Null: the campaign is not paced. */
  readonly pace: WantPace | null;
}

/** Money of a budget that cannot be granted: `open` of leases that are not closed, `closed` accepted of those that are. */
export interface BudgetSum {
  openNanos: bigint;
  readonly closedNanos: bigint;
}

/** What the open leases of a campaign's day hold, for the pace. */
export interface PaceFigures {
  readonly acceptedNanos: bigint;
  /** Open and unshown, of this minute and the one before. */
  freshNanos: bigint;
  /** Open, of this minute. */
  minuteNanos: bigint;
}

/** What became of a campaign's fills in closed leases, in nano-units; older days count for less. */
export interface ClosedFills {
  readonly shownNanos: number;
  readonly unshownNanos: number;
  readonly lateNanos: number;
}

/** The state in which a want is judged. A grant changes `openNanos` of the sums and the pace's figures: {@link grant}. */
export interface WantState {
  readonly total: BudgetSum;
  readonly day: BudgetSum;
  readonly balance: BudgetSum;
  /** Null: the want's lease does not exist yet. */
  readonly lease: Pick<Lease, 'grantedNanos' | 'isEnded' | 'isClosed' | 'advertiserId'> | null;
  /** Null: not paced. */
  readonly pace: PaceFigures | null;
  /** The anchor of the campaign's day; null: there is none yet. */
  readonly anchor: PaceAnchor | null;
  /** Replicas that were seen lately, this one included; at least 1. */
  readonly replicas: number;
  /** The clock of this service, epoch ms. */
  readonly nowMs: number;
  /** The replica's clock. */
  readonly atMs: number;
}

/** `granted`: at least one ad; the others say what has no room for one ad, or that the lease takes no more. */
export type LeaseVerdict = 'granted' | 'total' | 'day' | 'balance' | 'pace' | 'anchor' | 'ended';

/** What becomes of a want. */
export interface WantJudgement {
  readonly verdict: LeaseVerdict;
  /** What is granted now; 0 unless `granted`. */
  readonly amountNanos: bigint;
  /** A limit or the plan allowed less than was asked for. */
  readonly isScarce: boolean;
  /** The anchor that holds for a paced campaign; null: not paced, or not looked at. */
  readonly anchor: PaceAnchor | null;
}

/** Money of a lease that its sums count as open. */
export function openPart(lease: Pick<Lease, 'grantedNanos' | 'returnedNanos' | 'releasedNanos'>): bigint {
  return lease.grantedNanos - lease.returnedNanos - lease.releasedNanos;
}

/** UTC day of a lease's fills, since 1970. */
export function leaseDay({ minute }: Pick<LeaseKey, 'minute'>): number {
  return dayOf(minute * MINUTE_MS);
}

/** The lease as it is after a report; returns never fall, and never exceed what the impressions so far leave over. */
export function withReport(lease: Lease, report: LeaseReport): Lease {
  if (lease.isClosed) return lease;
  const returnable = lease.grantedNanos - lease.acceptedNanos - lease.suspiciousNanos;
  const returned = report.returnedNanos < returnable ? report.returnedNanos : returnable;
  return {
    ...lease,
    filledNanos: report.filledNanos,
    returnedNanos: returned > lease.returnedNanos ? returned : lease.returnedNanos,
    isEnded: lease.isEnded || report.isEnded,
  };
}

/**
 * Judges a want: total, day, balance, pace. With several replicas a grant is at most a fair share of what is left (half of an
 * equal part), so that the last ads are sold one by one by whoever has traffic.
 */
export function judgeWant(want: LeaseWant, state: WantState): WantJudgement {
  if (!isTaken(want, state)) return refused('ended', null);
  const frees = [
    ['total', freeOf(want.totalLimitNanos, state.total)],
    ['day', freeOf(want.dailyLimitNanos, state.day)],
    ['balance', freeOf(want.fundedNanos, state.balance)],
  ] as const;
  for (const [limit, free] of frees) if (free !== null && free < want.costNanos) return refused(limit, null);
  const free = frees.reduce<bigint | null>((least, [, each]) => minOf(least, each), null);
  const asked = want.grantedMaxNanos - (state.lease?.grantedNanos ?? 0n);
  const share =
    free === null || state.replicas <= 1 ? free : maxOf(want.costNanos, free / BigInt(2 * state.replicas));
  const paced = paceRoom(want, state);
  if (typeof paced.room === 'string') return refused(paced.room, paced.anchor);
  const amount = wholeAds(minOf(minOf(asked, share), paced.room) ?? asked, want.costNanos);
  // A repeated want whose grant was made before: there is nothing to add.
  if (asked < want.costNanos)
    return { verdict: 'granted', amountNanos: 0n, isScarce: false, anchor: paced.anchor };
  return { verdict: 'granted', amountNanos: amount, isScarce: amount < asked, anchor: paced.anchor };
}

/** Notes a grant in the state, so that the next want of the same exchange is judged after it. */
export function grant(state: WantState, amountNanos: bigint): void {
  state.total.openNanos += amountNanos;
  state.day.openNanos += amountNanos;
  state.balance.openNanos += amountNanos;
  if (state.pace === null) return;
  state.pace.freshNanos += amountNanos;
  state.pace.minuteNanos += amountNanos;
}

function isTaken(want: LeaseWant, { lease, nowMs }: WantState): boolean {
  if (lease !== null && (lease.isEnded || lease.isClosed || lease.advertiserId !== want.advertiserId))
    return false;
  const apart = Math.abs(want.minute - Math.floor(nowMs / MINUTE_MS));
  return apart <= MINUTES_APART_MAX && want.expiresAtMs > nowMs;
}

function refused(verdict: LeaseVerdict, anchor: PaceAnchor | null): WantJudgement {
  return { verdict, amountNanos: 0n, isScarce: true, anchor };
}

function freeOf(limit: bigint | null, { openNanos, closedNanos }: BudgetSum): bigint | null {
  return limit === null ? null : limit - closedNanos - openNanos;
}

/** Likely spend of the day so far: what was shown, and what is open at its likely share. */
function likelySpend(state: WantState, { show, late }: WantPace): number {
  const { pace, day } = state;
  const accepted = day.closedNanos + (pace?.acceptedNanos ?? 0n);
  const fresh = pace?.freshNanos ?? 0n;
  const older = day.openNanos + day.closedNanos - accepted - fresh;
  return Number(accepted) + show * Number(fresh) + late * Number(older);
}

/** A show rate below this does not widen what the plan leaves. */
const SHOW_MIN = 0.05;

interface PaceRoom {
  /** What may be granted at most; null: the campaign is not paced. */
  readonly room: bigint | null | 'pace' | 'anchor';
  readonly anchor: PaceAnchor | null;
}

/** The first ad of a day always fits; then the plan must have been made for the anchor that holds. */
function paceRoom(want: LeaseWant, state: WantState): PaceRoom {
  const { pace: plan, costNanos } = want;
  if (plan === null || state.pace === null) return { room: null, anchor: null };
  const likely = likelySpend(state, plan);
  const anchor = anchorOf(want, plan, state, likely);
  if (state.day.openNanos + state.day.closedNanos === 0n) return { room: costNanos, anchor };
  if (!isSameAnchor(plan.anchor, anchor)) return { room: 'anchor', anchor };
  const cost = Number(costNanos);
  const planned = plan.planNanos - likely - cost;
  const braked = plan.mostNanos === null ? null : plan.mostNanos - Number(state.pace.minuteNanos);
  if (planned < 0 || (braked !== null && braked < cost)) return { room: 'pace', anchor };
  const byPlan = cost + planned / Math.max(SHOW_MIN, plan.show);
  return { room: BigInt(Math.floor(Math.min(byPlan, braked ?? byPlan, Number.MAX_SAFE_INTEGER))), anchor };
}

function anchorOf(want: LeaseWant, plan: WantPace, state: WantState, likely: number): PaceAnchor {
  const { anchor } = state;
  const isHeld =
    anchor !== null &&
    anchor.budgetNanos === plan.budgetNanos &&
    (plan.anchorSinceMs === null || anchor.atMs >= plan.anchorSinceMs);
  if (isHeld) return anchor;
  const spent = BigInt(Math.round(Math.max(0, Math.min(likely, Number(plan.budgetNanos)))));
  // The slice of the next minute may be asked for before midnight: its day begins with the minute.
  return {
    atMs: Math.max(state.atMs, want.minute * MINUTE_MS),
    spentNanos: spent,
    budgetNanos: plan.budgetNanos,
  };
}

function isSameAnchor(a: PaceAnchor | null, b: PaceAnchor): boolean {
  return a !== null && a.atMs === b.atMs && a.spentNanos === b.spentNanos && a.budgetNanos === b.budgetNanos;
}

function wholeAds(nanos: bigint, costNanos: bigint): bigint {
  return nanos - (nanos % costNanos);
}

function minOf(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null) return b;
  return b === null || a < b ? a : b;
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
