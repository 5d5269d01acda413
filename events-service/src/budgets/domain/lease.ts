import { MINUTE_MS, dayOf, type AdvertiserId, type CampaignId } from '@placard/service-kit/pure';

/** A lease is closed this long after its last ad is over, so that an impression of the last moment is stored before. */
export const LEASE_GRACE_MS = 60_000;
/** A want's minute may be this far from the clock of this service: clocks of machines differ by seconds. */
export const MINUTES_APART_MAX = 2;

/** The key of a lease: the campaign, the UTC minute of the fills (since 1970) and the replica run that fills. */
export interface LeaseKey {
  readonly campaignId: CampaignId;
  readonly minute: number;
  /** Empty: open fills of a release without leases. */
  readonly run: string;
}

/** A lease as it is stored. Amounts are nano-units. */
export interface Lease extends LeaseKey {
  readonly advertiserId: AdvertiserId;
  readonly grantedNanos: bigint;
  /** Money that the replica will not spend. */
  readonly returnedNanos: bigint;
  /** The prices of its fills in sum, as the replica last reported them. */
  readonly filledNanos: bigint;
  readonly acceptedNanos: bigint;
  readonly suspiciousNanos: bigint;
  readonly lateNanos: bigint;
  /** Money of suspicious impressions that is already back in the sums. */
  readonly releasedNanos: bigint;
  readonly isEnded: boolean;
  readonly isClosed: boolean;
}

/** A replica's report of a lease. Amounts are sums over the lease's life, so a repeated report is harmless. */
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

/** Bounds from a replica's plan. Doubles are exact enough here: limits are checked in whole nano-units. */
export interface WantPace {
  /** The anchor for which the plan was made; null: none was known. */
  readonly anchor: PaceAnchor | null;
  /** Anchors before this instant (epoch ms) are no longer valid; null: an anchor of any age is. */
  readonly anchorSinceMs: number | null;
  readonly budgetNanos: bigint;
  /** Upper bound of the day's likely spend, including the new fills. */
  readonly planNanos: number;
  /** Upper bound of the grants for this minute over all replicas; null: no brake. */
  readonly mostNanos: number | null;
  /** Likely shown share, 0 to 1: `show` of fresh fills (this minute, the one before), `late` of older open fills. */
  readonly show: number;
  readonly late: number;
}

/** A replica's want. Limits are those of the catalog; null: no limit. */
export interface LeaseWant {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  readonly minute: number;
  /** Price of one ad, above zero. */
  readonly costNanos: bigint;
  /** The wanted sum of all grants of this lease. */
  readonly grantedMaxNanos: bigint;
  readonly totalLimitNanos: bigint | null;
  readonly dailyLimitNanos: bigint | null;
  readonly fundedNanos: bigint;
  /** Expiry of the last ad that the minute can hold, epoch ms. */
  readonly expiresAtMs: number;
  /** Null: the campaign is not paced. */
  readonly pace: WantPace | null;
}

/** Money of a budget that cannot be granted: `open` is held by open leases, `closed` was accepted in closed leases. */
export interface BudgetSum {
  openNanos: bigint;
  readonly closedNanos: bigint;
}

/** Sums over the open leases of a campaign's day, for pacing. */
export interface PaceFigures {
  readonly acceptedNanos: bigint;
  /** Open and unshown, of this minute and the one before. */
  freshNanos: bigint;
  /** Open, of this minute. */
  minuteNanos: bigint;
}

/** Shown and unshown fills of a campaign in closed leases, in nano-units; older days weigh less. */
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

/** `granted`: at least one ad. `ended`: the lease takes no grants. Else: the limit that has no room for one ad. */
export type LeaseVerdict = 'granted' | 'total' | 'day' | 'balance' | 'pace' | 'anchor' | 'ended';

/** The judgement of a want. */
export interface WantJudgement {
  readonly verdict: LeaseVerdict;
  /** What is granted now; 0 unless `granted`. */
  readonly amountNanos: bigint;
  /** A limit or the plan allowed less than was asked for. */
  readonly isScarce: boolean;
  /** The current anchor of a paced campaign; null: not paced, or not read. */
  readonly anchor: PaceAnchor | null;
}

/** The part of a lease's money that the sums count as open. */
export function openPart(lease: Pick<Lease, 'grantedNanos' | 'returnedNanos' | 'releasedNanos'>): bigint {
  return lease.grantedNanos - lease.returnedNanos - lease.releasedNanos;
}

/** UTC day of a lease's fills, since 1970. */
export function leaseDay({ minute }: Pick<LeaseKey, 'minute'>): number {
  return dayOf(minute * MINUTE_MS);
}

/** The lease after a report. Returns never fall, and never exceed the money that no impression has used. */
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
 * Judges a want by total, day, balance and pace. With several replicas a grant is at most half of an equal share of the
 * headroom, so that the last ads are granted one by one to the replicas that have traffic.
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
  // The want is repeated and its grant was made before.
  if (asked < want.costNanos)
    return { verdict: 'granted', amountNanos: 0n, isScarce: false, anchor: paced.anchor };
  return { verdict: 'granted', amountNanos: amount, isScarce: amount < asked, anchor: paced.anchor };
}

/** Adds a grant to the state, so that the next want of the same exchange is judged after it. */
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

/** What is left of a limit. Null: no limit. */
export function freeOf(limit: bigint | null, { openNanos, closedNanos }: BudgetSum): bigint | null {
  return limit === null ? null : limit - closedNanos - openNanos;
}

/** Likely spend of the day so far: shown fills, and open fills weighted by their likely share. */
function likelySpend(state: WantState, { show, late }: WantPace): number {
  const { pace, day } = state;
  const accepted = day.closedNanos + (pace?.acceptedNanos ?? 0n);
  const fresh = pace?.freshNanos ?? 0n;
  const older = day.openNanos + day.closedNanos - accepted - fresh;
  return Number(accepted) + show * Number(fresh) + late * Number(older);
}

/** A lower show rate does not widen the plan any further. */
const SHOW_MIN = 0.05;

interface PaceRoom {
  /** What may be granted at most; null: the campaign is not paced. */
  readonly room: bigint | null | 'pace' | 'anchor';
  readonly anchor: PaceAnchor | null;
}

/** The first ad of a day always fits; for later ads the plan must have been made for the current anchor. */
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
  // A want for the next minute may arrive before midnight. Its day begins with that minute.
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
