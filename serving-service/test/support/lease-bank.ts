import { dayOf, MINUTE_MS, minuteOf, likelySpend } from '@placard/service-kit/pure';
import {
  LeaseVerdict,
  type ClosedFills,
  type ExchangeLeasesRequest,
  type ExchangeLeasesResponse,
  type LeaseAnswer,
  type LeasePace,
  type LeaseReport,
  type LeaseWant,
  type PaceAnchor,
} from '@placard/protos/events/v1/events.js';

/** A replica that was not seen for so long has no part in a fair share. */
const SEEN_MS = 5_000;
/** Largest distance between a lease's minute and the clock. */
const TOLERANCE_MINUTES = 2;
/** A lease is closed so long after its last ad is over. */
const GRACE_MS = 60_000;
/** A show rate below this does not widen what the plan leaves. */
const SHOW_MIN = 0.05;

/** Names a lease. */
export interface LeaseName {
  readonly campaignId: string;
  /** Of the fills, since the epoch. */
  readonly minute: number;
  /** The life of the replica that fills. */
  readonly run: string;
}

/** A lease at events-service. Amounts in nano-units. */
export interface BankLease extends LeaseName {
  readonly advertiserId: string;
  readonly expiresAtMs: number;
  granted: bigint;
  filled: bigint;
  returned: bigint;
  accepted: bigint;
  suspicious: bigint;
  /** Of the accepted: in the second minute after the fill's or later. */
  late: bigint;
  /** Money of suspicious impressions. */
  released: bigint;
  isEnded: boolean;
  isClosed: boolean;
}

/** What becomes of a want: `amount` is granted now. */
interface Judgement {
  readonly verdict: LeaseVerdict;
  readonly amount: bigint;
  readonly isScarce: boolean;
  /** Null: not paced, or not looked at. */
  readonly anchor: PaceAnchor | null;
}

/** What became of a campaign's closed fills, up to a day. */
interface Learned {
  readonly day: number;
  readonly fills: ClosedFills;
}

const NOTHING_LEARNED: ClosedFills = { shownNanos: 0, unshownNanos: 0, lateNanos: 0 };

/**
 * SpendService.ExchangeLeases in memory, with what else changes leases. It answers as events-service does:
 * tests/contracts holds both to one suite.
 */
export class LeaseBank {
  readonly leases = new Map<string, BankLease>();
  /** Verdicts by campaign that replace a look at the limits. */
  readonly forced = new Map<string, LeaseVerdict>();
  readonly requests: ExchangeLeasesRequest[] = [];
  readonly #anchors = new Map<string, PaceAnchor>();
  readonly #learned = new Map<string, Learned>();
  readonly #seenAtMs = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The money that counts against limits: granted and not returned or, for closed leases, accepted. */
  used(matches: (lease: BankLease) => boolean = () => true): bigint {
    return this.#sum(matches, (lease) => (lease.isClosed ? lease.accepted : openPart(lease)));
  }

  exchange(request: ExchangeLeasesRequest): ExchangeLeasesResponse {
    this.requests.push(request);
    const seenAtMs = this.#seenAtMs.get(request.run) ?? -Infinity;
    this.#seenAtMs.set(request.run, Math.max(seenAtMs, this.#nowMs()));
    for (const report of request.reports) this.#takeReport(request.run, report);
    return {
      wants: request.wants.map((want) => this.#answerWant(want, request)),
      peeks: request.peeks.map((want) => this.#toAnswer(want, this.#judge(want, request, undefined), 0n)),
    };
  }

  /** Counts an impression; one of a lease that is closed, or was never granted, changes nothing. */
  count(name: LeaseName, costNanos: bigint, verdict: 'accepted' | 'suspicious'): void {
    const lease = this.leases.get(keyOf(name));
    if (lease === undefined || lease.isClosed) return;
    lease[verdict] += costNanos;
    const isLate = minuteOf(this.#nowMs()) >= name.minute + 2;
    if (verdict === 'accepted' && isLate) lease.late += costNanos;
  }

  /** Gives the price of suspicious impressions back. */
  release(name: LeaseName): void {
    const lease = this.leases.get(keyOf(name));
    if (lease?.isClosed === false) lease.released = lease.suspicious;
  }

  /** Closes the leases whose last ad was over a minute ago. */
  closeDue(): void {
    const overBeforeMs = this.#nowMs() - GRACE_MS;
    const due = [...this.leases.values()].filter((one) => !one.isClosed && one.expiresAtMs < overBeforeMs);
    for (const lease of due) lease.isClosed = true;
    for (const of of new Set(due.map(campaignOf))) this.#learn(due.filter((one) => campaignOf(one) === of));
  }

  #takeReport(run: string, { campaignId, minute, ...report }: LeaseReport): void {
    const lease = this.leases.get(keyOf({ campaignId, minute: Number(minute), run }));
    if (lease === undefined || lease.isClosed) return;
    const returnable = lease.granted - lease.accepted - lease.suspicious;
    lease.returned = max(lease.returned, min(report.returnedNanos, returnable));
    lease.filled = report.filledNanos;
    lease.isEnded ||= report.ended;
  }

  #answerWant(want: LeaseWant, request: ExchangeLeasesRequest): LeaseAnswer {
    const name = { campaignId: want.campaignId, minute: Number(want.minute), run: request.run };
    const before = this.leases.get(keyOf(name));
    const judgement = this.#judge(want, request, before);
    const { anchor, amount } = judgement;
    if (anchor !== null) this.#anchors.set(dayKey(want), anchor);
    if (amount > 0n) {
      const lease = before ?? newLease(name, want);
      lease.granted += amount;
      this.leases.set(keyOf(name), lease);
    }
    return this.#toAnswer(want, judgement, this.leases.get(keyOf(name))?.granted ?? 0n);
  }

  #toAnswer(want: LeaseWant, { verdict, isScarce, anchor }: Judgement, grantedNanos: bigint): LeaseAnswer {
    const isPaced = want.pace !== undefined;
    const left = new Map(this.#frees(want));
    return {
      verdict,
      grantedNanos,
      isScarce,
      anchor: isPaced ? (anchor ?? this.#anchors.get(dayKey(want))) : undefined,
      closedFills: isPaced ? (this.#learned.get(campaignOf(want))?.fills ?? NOTHING_LEARNED) : undefined,
      totalLeftNanos: left.get(LeaseVerdict.TOTAL),
      dailyLeftNanos: left.get(LeaseVerdict.DAY),
    };
  }

  /** Total, day, balance, pace: the first that has no room for one ad names the verdict. */
  #judge(want: LeaseWant, { atMs }: ExchangeLeasesRequest, lease: BankLease | undefined): Judgement {
    const { costNanos } = want;
    if (!this.#isTaken(want, lease)) return refused(LeaseVerdict.ENDED);
    const forced = this.forced.get(want.campaignId);
    if (forced !== undefined) return refused(forced);
    const frees = this.#frees(want);
    const full = frees.find(([, nanos]) => nanos < costNanos);
    if (full !== undefined) return refused(full[0]);
    const free = frees.map(([, nanos]) => nanos).reduce(min);
    const replicas = this.#replicas();
    const share = replicas <= 1 ? free : max(costNanos, free / BigInt(2 * replicas));
    const asked = want.grantedMaxNanos - (lease?.granted ?? 0n);
    const paced = want.pace === undefined ? null : this.#paced(want, want.pace, Number(atMs));
    const anchor = paced?.anchor ?? null;
    const room = paced?.room ?? asked;
    if (typeof room !== 'bigint') return refused(room, anchor);
    // It was granted before.
    if (asked < costNanos) return { verdict: LeaseVerdict.GRANTED, amount: 0n, isScarce: false, anchor };
    const most = [asked, share, room].reduce(min);
    const amount = most - (most % costNanos);
    return { verdict: LeaseVerdict.GRANTED, amount, isScarce: amount < asked, anchor };
  }

  #isTaken({ minute, advertiserId, expiresAtMs }: LeaseWant, lease: BankLease | undefined): boolean {
    const nowMs = this.#nowMs();
    if (lease !== undefined && (lease.isEnded || lease.isClosed || lease.advertiserId !== advertiserId))
      return false;
    return Math.abs(Number(minute) - minuteOf(nowMs)) <= TOLERANCE_MINUTES && Number(expiresAtMs) > nowMs;
  }

  #frees(want: LeaseWant): readonly (readonly [LeaseVerdict, bigint])[] {
    const isOwn = (lease: BankLease): boolean => campaignOf(lease) === campaignOf(want);
    const limits: [LeaseVerdict, bigint | undefined, (lease: BankLease) => boolean][] = [
      [LeaseVerdict.TOTAL, want.totalLimitNanos, isOwn],
      [LeaseVerdict.DAY, want.dailyLimitNanos, (lease) => dayKey(lease) === dayKey(want)],
      [LeaseVerdict.BALANCE, want.fundedNanos, ({ advertiserId }) => advertiserId === want.advertiserId],
    ];
    return limits.flatMap(([verdict, limit, matches]) =>
      limit === undefined ? [] : [[verdict, limit - this.used(matches)] as const],
    );
  }

  /** The money that the pace allows, or the reason for none. */
  #paced(
    want: LeaseWant,
    pace: LeasePace,
    atMs: number,
  ): { readonly room: bigint | LeaseVerdict; readonly anchor: PaceAnchor } {
    const minute = Number(want.minute);
    const cost = Number(want.costNanos);
    const isOfDay = (lease: BankLease): boolean => dayKey(lease) === dayKey(want);
    const used = Number(this.used(isOfDay));
    const spent = Number(this.#sum(isOfDay, ({ accepted }) => accepted));
    const isFresh = (lease: BankLease): boolean =>
      isOfDay(lease) && !lease.isClosed && lease.minute >= minute - 1;
    const fresh = Number(this.#sum(isFresh, (lease) => openPart(lease) - lease.accepted));
    const likely = likelySpend({ spent, open: used - spent, fresh }, pace);
    const anchor = this.#anchorOf(want, pace, { atMs, likely });
    if (used === 0) return { room: want.costNanos, anchor };
    if (!isSameAnchor(pace.anchor, anchor)) return { room: LeaseVerdict.ANCHOR, anchor };
    const isOfMinute = (lease: BankLease): boolean =>
      isOfDay(lease) && !lease.isClosed && lease.minute === minute;
    const braked = (pace.mostNanos ?? Infinity) - Number(this.#sum(isOfMinute, openPart));
    const planned = pace.planNanos - likely - cost;
    if (planned < 0 || braked < cost) return { room: LeaseVerdict.PACE, anchor };
    const byPlan = cost + planned / Math.max(SHOW_MIN, pace.show);
    return { room: BigInt(Math.floor(Math.min(byPlan, braked, Number.MAX_SAFE_INTEGER))), anchor };
  }

  #anchorOf(
    want: LeaseWant,
    pace: LeasePace,
    now: { readonly atMs: number; readonly likely: number },
  ): PaceAnchor {
    const anchor = this.#anchors.get(dayKey(want));
    if (anchor?.budgetNanos === pace.budgetNanos && anchor.atMs >= (pace.anchorSinceMs ?? anchor.atMs))
      return anchor;
    return {
      // The slice of the next minute may be asked for before midnight: its day begins with the minute.
      atMs: BigInt(Math.max(now.atMs, Number(want.minute) * MINUTE_MS)),
      spentNanos: BigInt(Math.round(Math.max(0, Math.min(now.likely, Number(pace.budgetNanos))))),
      budgetNanos: pace.budgetNanos,
    };
  }

  /** Adds what became of the fills of one campaign; each day halves what was before it. */
  #learn(closed: readonly BankLease[]): void {
    const key = closed.map(campaignOf)[0] ?? '';
    const day = Math.max(...closed.map(({ minute }) => dayOf(minute * MINUTE_MS)));
    const before = this.#learned.get(key) ?? { day, fills: NOTHING_LEARNED };
    const kept = 0.5 ** Math.max(0, day - before.day);
    const sum = (of: (lease: BankLease) => bigint): number =>
      closed.reduce((all, lease) => all + Number(of(lease)), 0);
    this.#learned.set(key, {
      day: Math.max(day, before.day),
      fills: {
        shownNanos: before.fills.shownNanos * kept + sum(({ accepted }) => accepted),
        unshownNanos:
          before.fills.unshownNanos * kept +
          sum((lease) => max(0n, lease.filled - lease.accepted - lease.suspicious)),
        lateNanos: before.fills.lateNanos * kept + sum(({ late }) => late),
      },
    });
  }

  #replicas(): number {
    const nowMs = this.#nowMs();
    return [...this.#seenAtMs.values()].filter((atMs) => nowMs - atMs <= SEEN_MS).length;
  }

  #sum(matches: (lease: BankLease) => boolean, of: (lease: BankLease) => bigint): bigint {
    let sum = 0n;
    for (const lease of this.leases.values()) if (matches(lease)) sum += of(lease);
    return sum;
  }
}

function newLease(name: LeaseName, { advertiserId, expiresAtMs }: LeaseWant): BankLease {
  return {
    ...name,
    advertiserId,
    expiresAtMs: Number(expiresAtMs),
    granted: 0n,
    filled: 0n,
    returned: 0n,
    accepted: 0n,
    suspicious: 0n,
    late: 0n,
    released: 0n,
    isEnded: false,
    isClosed: false,
  };
}

/** Money of a lease that is neither closed nor given back. */
function openPart({ granted, returned, released }: BankLease): bigint {
  return granted - returned - released;
}

function refused(verdict: LeaseVerdict, anchor: PaceAnchor | null = null): Judgement {
  return { verdict, amount: 0n, isScarce: true, anchor };
}

function isSameAnchor(a: PaceAnchor | undefined, b: PaceAnchor): boolean {
  return a?.atMs === b.atMs && a.spentNanos === b.spentNanos && a.budgetNanos === b.budgetNanos;
}

function keyOf({ campaignId, minute, run }: LeaseName): string {
  return `${campaignId}|${minute}|${run}`;
}

function campaignOf({
  advertiserId,
  campaignId,
}: {
  readonly advertiserId: string;
  readonly campaignId: string;
}): string {
  return `${advertiserId}|${campaignId}`;
}

function dayKey(of: {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly minute: bigint | number;
}): string {
  return `${campaignOf(of)}|${dayOf(Number(of.minute) * MINUTE_MS)}`;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
