import { MINUTE_MS, minuteOf, SECOND_MS, type CampaignId, type Nanos } from '@placard/service-kit/pure';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { Lease, type GrantAnswer, type LeaseReport } from './lease.js';
import { RATE_MS, SpendRate } from './spend-rate.js';

/** Ads in a want while the rate of fills is unknown. */
export const FIRST_ADS = 5;
/** From this point of a minute on, the wallet asks for slices of the next minute. */
const NEXT_MINUTE_FROM_MS = 58 * SECOND_MS;

/** The leases of a campaign at this process. */
interface Account {
  /**
   * The current entry of the campaign. The remaining money was granted under its terms. Null: the campaign was removed.
   */
  entry: IndexedCampaign | null;
  readonly leases: Map<number, Lease>;
  readonly rate: SpendRate;
  readonly sinceMs: number;
  /** Instant of the last fill. Before the first: never. */
  usedAtMs: number;
}

/** A lease that needs money, although no request waits for it. */
export interface Refill {
  readonly entry: IndexedCampaign;
  readonly minute: number;
}

/** A report that was sent and is not acknowledged. */
export interface SentReport {
  readonly lease: Lease;
  readonly report: LeaseReport;
}

/** Whether money that was granted for one entry of a campaign may be spent for another entry. */
function hasSameTerms(granted: IndexedCampaign | null, now: IndexedCampaign | null): boolean {
  if (granted === null || now?.isServable !== true) return false;
  const [a, b] = [granted.campaign, now.campaign];
  return (
    a.costNanos === b.costNanos &&
    a.budgetTotalNanos === b.budgetTotalNanos &&
    a.budgetDailyNanos === b.budgetDailyNanos &&
    a.pacing === b.pacing &&
    granted.advertiser.id === now.advertiser.id &&
    granted.advertiser.fundedNanos === now.advertiser.fundedNanos
  );
}

/** The money of all campaigns at this process. events-service grants it; fills spend it without a call. */
export class Wallet {
  readonly #accounts = new Map<CampaignId, Account>();
  /** Leases with a return or an end that was not reported. */
  readonly #returned = new Set<Lease>();
  /** Leases with fills that were not reported. */
  readonly #filled = new Set<Lease>();
  /** The latest minute of a removed lease. */
  #forgottenMinute = -Infinity;

  /** Money that can still be spent, for all campaigns. */
  get leftNanos(): Nanos {
    let sum = 0n;
    for (const { leases } of this.#accounts.values())
      for (const lease of leases.values()) sum += lease.leftNanos;
    return sum;
  }

  /** Takes the price of one fill from the campaign's lease of that minute. Null: there is not enough money. */
  take(id: CampaignId, minute: number, costNanos: Nanos, nowMs: number): Lease | null {
    const account = this.#accounts.get(id);
    const lease = account?.leases.get(minute);
    if (account === undefined || lease?.take(costNanos, nowMs) !== true) return null;
    account.rate.add(Number(costNanos), nowMs);
    account.usedAtMs = nowMs;
    this.#filled.add(lease);
    return lease;
  }

  /** Whether the wallet can pay for one more fill of that minute. */
  holds(id: CampaignId, minute: number, costNanos: Nanos): boolean {
    return (this.#accounts.get(id)?.leases.get(minute)?.leftNanos ?? 0n) >= costNanos;
  }

  /**
   * Takes the price of a fill back that was made for `entry` and was not needed. If the terms have changed since, the
   * money is returned.
   */
  giveBack(lease: Lease, entry: IndexedCampaign, takenAtMs: number): void {
    const { costNanos } = entry.campaign;
    const account = this.#accounts.get(lease.campaignId);
    lease.giveBack(costNanos);
    account?.rate.add(-Number(costNanos), takenAtMs);
    (lease.isEnded ? this.#returned : this.#filled).add(lease);
    if (!hasSameTerms(entry, account?.entry ?? null)) this.#returnRest(lease);
  }

  /** The lease that needs money, and the wanted sum of its grants. Each of the `waiting` requests needs one ad. */
  want(
    { entry, minute }: Refill,
    waiting: number,
    nowMs: number,
  ): { readonly lease: Lease; readonly grantedMaxNanos: Nanos } {
    const account = this.#open(entry, nowMs);
    const lease = this.#leaseOf(account, entry.campaign.id, minute);
    const { costNanos } = entry.campaign;
    const ads = Math.max(adsWanted(account, entry.rank, nowMs), waiting);
    const sliceNanos = BigInt(ads) * costNanos;
    const missing = sliceNanos - lease.leftNanos;
    const grantedMaxNanos = lease.grantedNanos + (missing > costNanos ? missing : costNanos);
    const unanswered = lease.unansweredNanos ?? 0n;
    return { lease, grantedMaxNanos: unanswered > grantedMaxNanos ? unanswered : grantedMaxNanos };
  }

  /**
   * Records an answer to a want for `entry`. False: the terms have changed since, and all remaining money is returned.
   */
  noteAnswer(
    { lease, entry }: { readonly lease: Lease; readonly entry: IndexedCampaign },
    answer: GrantAnswer,
    nowMs: number,
  ): boolean {
    if (lease.noteAnswer(answer, nowMs)) this.#returned.add(lease);
    const account = this.#accounts.get(lease.campaignId);
    if (hasSameTerms(entry, account?.entry ?? null)) return true;
    this.#returnRest(lease);
    return false;
  }

  /** Records that a want for `entry` got no answer. If the terms have changed since, its grant is returned later. */
  noteUnanswered(
    { lease, entry }: { readonly lease: Lease; readonly entry: IndexedCampaign },
    grantedMaxNanos: Nanos,
  ): void {
    lease.noteUnanswered(grantedMaxNanos);
    const now = this.#accounts.get(lease.campaignId)?.entry ?? null;
    if (!hasSameTerms(entry, now) && lease.forfeit()) this.#returned.add(lease);
  }

  /**
   * Follows the catalog. Money that was granted under other terms is returned at once. Null: the campaign was removed.
   */
  follow(id: CampaignId, now: IndexedCampaign | null): void {
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    if (!hasSameTerms(account.entry, now))
      for (const lease of account.leases.values()) if (lease.forfeit()) this.#returned.add(lease);
    account.entry = now;
  }

  /** Returns unused money, ends leases whose minute is over, and removes leases that need no further report. */
  tidy(nowMs: number): void {
    for (const [id, account] of this.#accounts) {
      const costNanos = account.entry?.campaign.costNanos ?? null;
      for (const [minute, lease] of account.leases) {
        if (lease.isOver(nowMs)) this.#end(lease);
        else if (costNanos === null || lease.isIdle(costNanos, nowMs)) this.#returnRest(lease);
        if (!lease.isForgettable(nowMs) || this.#isUnreported(lease)) continue;
        account.leases.delete(minute);
        this.#forgottenMinute = Math.max(this.#forgottenMinute, minute);
      }
      const isUsed = Math.abs(nowMs - account.usedAtMs) < MINUTE_MS;
      if (account.leases.size === 0 && !isUsed) this.#accounts.delete(id);
    }
  }

  /** The wants that should be sent now, so that requests need not wait. Wants without an answer are repeated. */
  refills(nowMs: number): Refill[] {
    const refills = this.unanswered();
    const current = minuteOf(nowMs);
    const isNextDue = nowMs - current * MINUTE_MS >= NEXT_MINUTE_FROM_MS;
    for (const { entry, leases, usedAtMs } of this.#accounts.values()) {
      if (entry?.isServable !== true) continue;
      if (leases.get(current)?.isHalfUsed === true) refills.push({ entry, minute: current });
      const isUsed = Math.abs(nowMs - usedAtMs) < RATE_MS;
      if (isNextDue && isUsed && !leases.has(current + 1)) refills.push({ entry, minute: current + 1 });
    }
    return refills;
  }

  /** Whether a return or an end must be reported. Other replicas wait for it. */
  get hasReturns(): boolean {
    return this.#returned.size > 0;
  }

  /** Whether any lease needs a report. */
  get hasReports(): boolean {
    return this.#returned.size > 0 || this.#filled.size > 0;
  }

  /** Up to `countMax` reports: returns and ends, and if `isWhole` also reports of fills alone. */
  reports(countMax: number, isWhole: boolean): SentReport[] {
    const leases = isWhole ? new Set([...this.#returned, ...this.#filled]) : this.#returned;
    const reports: SentReport[] = [];
    for (const lease of leases) {
      if (reports.length >= countMax) break;
      reports.push({ lease, report: lease.report() });
    }
    return reports;
  }

  /** Records that events-service has received the report. Later changes of the lease are reported again. */
  acknowledge({ lease, report }: SentReport): void {
    const now = lease.report();
    if (now.returnedNanos === report.returnedNanos && now.isEnded === report.isEnded)
      this.#returned.delete(lease);
    if (now.filledNanos === report.filledNanos) this.#filled.delete(lease);
  }

  /** Leases with a want that has no answer and may have been granted. The wants are repeated. */
  unanswered(): Refill[] {
    const refills: Refill[] = [];
    for (const { entry, leases } of this.#accounts.values()) {
      for (const lease of leases.values()) {
        const isOpen = lease.unansweredNanos !== null && !lease.isEnded;
        if (entry !== null && isOpen) refills.push({ entry, minute: lease.minute });
      }
    }
    return refills;
  }

  /** Returns all money at the end of the process, except where a want has no answer yet. */
  endAll(): void {
    for (const { entry, leases } of this.#accounts.values()) {
      for (const lease of leases.values()) {
        if (lease.unansweredNanos === null || entry === null) this.#end(lease);
      }
    }
  }

  #open(entry: IndexedCampaign, nowMs: number): Account {
    const { id } = entry.campaign;
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = { entry, leases: new Map(), rate: new SpendRate(), sinceMs: nowMs, usedAtMs: -Infinity };
      this.#accounts.set(id, account);
    }
    account.entry = entry;
    return account;
  }

  #leaseOf({ leases }: Account, id: CampaignId, minute: number): Lease {
    let lease = leases.get(minute);
    if (lease === undefined) {
      lease = new Lease(id, minute, minute <= this.#forgottenMinute);
      leases.set(minute, lease);
    }
    return lease;
  }

  #end(lease: Lease): void {
    if (lease.isEnded) return;
    lease.end();
    // Without a grant, events-service has no such lease.
    if (lease.grantedNanos > 0n) this.#returned.add(lease);
  }

  #returnRest(lease: Lease): void {
    if (lease.returnRest()) this.#returned.add(lease);
  }

  #isUnreported(lease: Lease): boolean {
    return this.#returned.has(lease) || this.#filled.has(lease);
  }
}

/** About the spend of ten seconds at this process, in whole ads. In the first ten seconds the rate is unknown. */
function adsWanted({ rate, sinceMs }: Account, costNanos: number, nowMs: number): number {
  const ads = Math.ceil(rate.at(nowMs) / costNanos);
  return Math.max(ads, Math.abs(nowMs - sinceMs) < RATE_MS ? FIRST_ADS : 1);
}
