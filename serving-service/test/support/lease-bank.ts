import { dayOf, MINUTE_MS, minuteOf } from '@placard/service-kit/pure';
import {
  LeaseVerdict,
  type ExchangeLeasesRequest,
  type ExchangeLeasesResponse,
  type LeaseAnswer,
  type LeasePace,
  type LeaseReport,
  type LeaseWant,
  type PaceAnchor,
} from '@placard/protos/events/v1/events.js';
import { likelySpend } from '../../src/pacing/domain/plan.js';

const SEEN_MS = 5_000;
/** Largest distance between a lease's minute and the clock. */
const TOLERANCE_MINUTES = 2;
const CLOSED_FILLS = { shownNanos: 0, unshownNanos: 0, lateNanos: 0 };

/** A lease at events-service. */
export interface BankLease {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly minute: number;
  readonly run: string;
  granted: bigint;
  filled: bigint;
  returned: bigint;
  accepted: bigint;
  /** Money of suspicious impressions. */
  released: bigint;
  isEnded: boolean;
  isClosed: boolean;
}

/** The contract of ExchangeLeases in memory: limits, leases per minute, fair shares and the pace. */
export class LeaseBank {
  readonly leases = new Map<string, BankLease>();
  /** Verdicts by campaign that replace a judgement. */
  readonly forced = new Map<string, LeaseVerdict>();
  readonly requests: ExchangeLeasesRequest[] = [];
  readonly #anchors = new Map<string, PaceAnchor>();
  readonly #seenAtMs = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The money that counts against limits: granted and not returned or, for closed leases, accepted. */
  used(matches: (lease: BankLease) => boolean = () => true): bigint {
    let sum = 0n;
    for (const lease of this.leases.values()) {
      if (matches(lease))
        sum += lease.isClosed ? lease.accepted : lease.granted - lease.returned - lease.released;
    }
    return sum;
  }

  exchange(request: ExchangeLeasesRequest): ExchangeLeasesResponse {
    this.requests.push(request);
    this.#seenAtMs.set(request.run, this.#nowMs());
    for (const report of request.reports) this.#takeReport(request.run, report);
    return {
      wants: request.wants.map((want) => this.#judge(request, want, true)),
      peeks: request.peeks.map((want) => this.#judge(request, want, false)),
    };
  }

  /** Closes every lease, as after the expiry of its last ad. */
  closeAll(): void {
    for (const lease of this.leases.values()) lease.isClosed = true;
  }

  #takeReport(run: string, report: LeaseReport): void {
    const lease = this.leases.get(`${report.campaignId}|${report.minute}|${run}`);
    if (lease === undefined) return;
    if (report.returnedNanos > lease.granted) throw new Error('more was returned than was granted');
    if (report.returnedNanos > lease.returned) lease.returned = report.returnedNanos;
    lease.filled = report.filledNanos;
    lease.isEnded ||= report.ended;
  }

  #judge({ run, atMs }: ExchangeLeasesRequest, want: LeaseWant, isWant: boolean): LeaseAnswer {
    const { campaignId, advertiserId, costNanos } = want;
    const minute = Number(want.minute);
    const key = `${campaignId}|${minute}|${run}`;
    const lease = this.leases.get(key);
    const granted = isWant ? (lease?.granted ?? 0n) : 0n;
    const answer = { grantedNanos: granted, isScarce: false, ...this.#paceFacts(want) };
    const isFar = Math.abs(minute - minuteOf(this.#nowMs())) > TOLERANCE_MINUTES;
    if (isFar || lease?.isEnded === true || lease?.isClosed === true)
      return { ...answer, verdict: LeaseVerdict.ENDED };
    const forced = this.forced.get(campaignId);
    if (forced !== undefined) return { ...answer, verdict: forced };
    const [free, refusal] = this.#free(want);
    if (free < costNanos) return { ...answer, verdict: refusal };
    const pace = want.pace === undefined ? free : this.#paced(want, want.pace, Number(atMs));
    if (typeof pace !== 'bigint') return { ...answer, verdict: pace, ...this.#paceFacts(want) };
    const replicas = this.#replicas();
    const share = replicas <= 1 ? free : free / BigInt(2 * replicas);
    const asked = want.grantedMaxNanos - granted;
    const most = [asked, max(costNanos, share), pace, free].reduce(min);
    const amount = asked < costNanos ? 0n : (most / costNanos) * costNanos;
    if (isWant) {
      const opened = lease ?? { advertiserId, campaignId, minute, run, ...aNewLease() };
      opened.granted += amount;
      this.leases.set(key, opened);
    }
    const sum = isWant ? granted + amount : 0n;
    return {
      verdict: LeaseVerdict.GRANTED,
      ...this.#paceFacts(want),
      grantedNanos: sum,
      isScarce: amount < asked,
    };
  }

  #free(want: LeaseWant): [bigint, LeaseVerdict] {
    const day = dayOf(Number(want.minute) * MINUTE_MS);
    const own = (lease: BankLease): boolean => lease.campaignId === want.campaignId;
    const limits: [bigint | undefined, LeaseVerdict, (lease: BankLease) => boolean][] = [
      [want.totalLimitNanos, LeaseVerdict.TOTAL, own],
      [want.dailyLimitNanos, LeaseVerdict.DAY, (one) => own(one) && dayOf(one.minute * MINUTE_MS) === day],
      [want.fundedNanos, LeaseVerdict.BALANCE, (one) => one.advertiserId === want.advertiserId],
    ];
    const headrooms = limits.flatMap(([limit, verdict, matches]): [bigint, LeaseVerdict][] =>
      limit === undefined ? [] : [[limit - this.used(matches), verdict]],
    );
    return headrooms.reduce((least, one) => (one[0] < least[0] ? one : least));
  }

  /** The money that the pace allows, or the reason for none. */
  #paced(want: LeaseWant, pace: LeasePace, atMs: number): bigint | LeaseVerdict {
    const minute = Number(want.minute);
    const cost = Number(want.costNanos);
    const ofDay = [...this.leases.values()].filter(
      (one) =>
        one.campaignId === want.campaignId && dayOf(one.minute * MINUTE_MS) === dayOf(minute * MINUTE_MS),
    );
    const sum = (of: (lease: BankLease) => bigint): number =>
      Number(ofDay.reduce((all, one) => all + of(one), 0n));
    const openOf = (one: BankLease): bigint =>
      one.isClosed ? 0n : one.granted - one.returned - one.accepted;
    const open = sum(openOf);
    const fresh = sum((one) => (one.minute >= minute - 1 ? openOf(one) : 0n));
    const spent = sum((one) => one.accepted);
    const likely = likelySpend({ spent, open, fresh }, pace);
    const anchor = this.#anchorOf(want, pace, { atMs: Math.max(atMs, minute * MINUTE_MS), likely });
    if (spent + open === 0) return want.costNanos;
    if (anchor.atMs !== pace.anchor?.atMs || anchor.spentNanos !== pace.anchor.spentNanos)
      return LeaseVerdict.ANCHOR;
    const ofMinute = sum((one) => (one.minute === minute ? one.granted - one.returned : 0n));
    const most = (pace.mostNanos ?? Infinity) - ofMinute;
    if (likely + cost > pace.planNanos || cost > most) return LeaseVerdict.PACE;
    const byPlan = cost + (pace.planNanos - likely - cost) / Math.max(pace.show, 0.05);
    return BigInt(Math.floor(Math.min(byPlan, most, 1e17)));
  }

  #anchorOf(
    want: LeaseWant,
    pace: LeasePace,
    now: { readonly atMs: number; readonly likely: number },
  ): PaceAnchor {
    const key = anchorKey(want);
    const anchor = this.#anchors.get(key);
    if (anchor?.budgetNanos === pace.budgetNanos && anchor.atMs >= (pace.anchorSinceMs ?? 0n)) return anchor;
    const spentNanos = BigInt(Math.round(Math.max(0, Math.min(now.likely, Number(pace.budgetNanos)))));
    const fresh = { atMs: BigInt(now.atMs), spentNanos, budgetNanos: pace.budgetNanos };
    this.#anchors.set(key, fresh);
    return fresh;
  }

  #paceFacts(want: LeaseWant): Pick<LeaseAnswer, 'anchor' | 'closedFills'> {
    if (want.pace === undefined) return { anchor: undefined, closedFills: undefined };
    return { anchor: this.#anchors.get(anchorKey(want)), closedFills: CLOSED_FILLS };
  }

  #replicas(): number {
    const nowMs = this.#nowMs();
    return [...this.#seenAtMs.values()].filter((atMs) => nowMs - atMs <= SEEN_MS).length;
  }
}

function aNewLease() {
  return {
    granted: 0n,
    filled: 0n,
    returned: 0n,
    accepted: 0n,
    released: 0n,
    isEnded: false,
    isClosed: false,
  };
}

function anchorKey({ campaignId, minute }: LeaseWant): string {
  return `${campaignId}|${dayOf(Number(minute) * MINUTE_MS)}`;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
