import { MINUTE_MS, minuteOf, SECOND_MS, type CampaignId, type Nanos } from '@placard/service-kit/pure';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { Lease, type GrantAnswer, type LeaseReport } from './lease.js';
import { RATE_MS, SpendRate } from './spend-rate.js';

/** Ads that are asked for while it is not known how many are filled. */
export const FIRST_ADS = 5;
/** From this second of a minute on the next minute's slices are asked for. */
const NEXT_MINUTE_FROM_MS = 58 * SECOND_MS;

/** A campaign's leases at this process. */
interface Account {
  /** The campaign as it is now; what is left was granted under its terms. Null: it is gone. */
  entry: IndexedCampaign | null;
  readonly leases: Map<number, Lease>;
  readonly rate: SpendRate;
  readonly sinceMs: number;
  /** Last fill; before the first: never. */
  usedAtMs: number;
}

/** Money that should be asked for without a request that waits for it. */
export interface Refill {
  readonly entry: IndexedCampaign;
  readonly minute: number;
}

/** A report on its way. */
export interface SentReport {
  readonly lease: Lease;
  readonly report: LeaseReport;
}

/** Whether money that was granted for one entry of a campaign may be spent for another. */
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

/** What this process holds of campaigns' budgets: granted by events-service, spent here without a call. */
export class Wallet {
  readonly #accounts = new Map<CampaignId, Account>();
  /** Leases with returns or an end that are not reported yet. */
  readonly #returned = new Set<Lease>();
  /** Leases with fills that are not reported yet. */
  readonly #filled = new Set<Lease>();
  /** The latest minute of which a lease was forgotten. */
  #forgottenMinute = -Infinity;

  /** What can still be filled, over all campaigns. */
  get leftNanos(): Nanos {
    let sum = 0n;
    for (const { leases } of this.#accounts.values())
      for (const lease of leases.values()) sum += lease.leftNanos;
    return sum;
  }

  /** Takes the price of one fill from the campaign's lease of that minute; null: there is not enough. */
  take(id: CampaignId, minute: number, costNanos: Nanos, nowMs: number): Lease | null {
    const account = this.#accounts.get(id);
    const lease = account?.leases.get(minute);
    if (account === undefined || lease?.take(costNanos, nowMs) !== true) return null;
    account.rate.add(Number(costNanos), nowMs);
    account.usedAtMs = nowMs;
    this.#filled.add(lease);
    return lease;
  }

  /** Whether one more fill of that minute could be paid. */
  holds(id: CampaignId, minute: number, costNanos: Nanos): boolean {
    return (this.#accounts.get(id)?.leases.get(minute)?.leftNanos ?? 0n) >= costNanos;
  }

  /** Takes a fill of `entry` back that was taken then and came to nothing. If the terms have changed since, it is returned. */
  giveBack(lease: Lease, entry: IndexedCampaign, takenAtMs: number): void {
    const { costNanos } = entry.campaign;
    const account = this.#accounts.get(lease.campaignId);
    lease.giveBack(costNanos);
    account?.rate.add(-Number(costNanos), takenAtMs);
    (lease.isEnded ? this.#returned : this.#filled).add(lease);
    if (!hasSameTerms(entry, account?.entry ?? null)) this.#returnRest(lease);
  }

  /** The lease for which money is to be asked, and the sum of its grants that is wanted; `waiting` requests need one ad each. */
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

  /** Takes in an answer to a want of `entry`. False: the terms have changed meanwhile, and all that is left is returned. */
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

  /** Notes that no answer came to a want of `entry`; what was granted is returned if the terms have changed meanwhile. */
  noteUnanswered(
    { lease, entry }: { readonly lease: Lease; readonly entry: IndexedCampaign },
    grantedMaxNanos: Nanos,
  ): void {
    lease.noteUnanswered(grantedMaxNanos);
    const now = this.#accounts.get(lease.campaignId)?.entry ?? null;
    if (!hasSameTerms(entry, now) && lease.forfeit()) this.#returned.add(lease);
  }

  /** Follows the catalog: what was granted under other terms is returned at once. Null: the campaign is gone. */
  follow(id: CampaignId, now: IndexedCampaign | null): void {
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    if (!hasSameTerms(account.entry, now))
      for (const lease of account.leases.values()) if (lease.forfeit()) this.#returned.add(lease);
    account.entry = now;
  }

  /** Returns what nobody uses, ends leases whose minute is over, and forgets what is done with. */
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

  /** What should be asked for now, so that requests need not wait; and again what was asked for without an answer. */
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

  /** Whether a return or an end is to be reported: others wait for it. */
  get hasReturns(): boolean {
    return this.#returned.size > 0;
  }

  /** Whether there is anything to report. */
  get hasReports(): boolean {
    return this.#returned.size > 0 || this.#filled.size > 0;
  }

  /** What is to be reported, at most so much: returns and ends, and mere fills if `isWhole`. */
  reports(countMax: number, isWhole: boolean): SentReport[] {
    const leases = isWhole ? new Set([...this.#returned, ...this.#filled]) : this.#returned;
    const reports: SentReport[] = [];
    for (const lease of leases) {
      if (reports.length >= countMax) break;
      reports.push({ lease, report: lease.report() });
    }
    return reports;
  }

  /** Notes that events-service has the report; what has changed meanwhile is reported again. */
  acknowledge({ lease, report }: SentReport): void {
    const now = lease.report();
    if (now.returnedNanos === report.returnedNanos && now.isEnded === report.isEnded)
      this.#returned.delete(lease);
    if (now.filledNanos === report.filledNanos) this.#filled.delete(lease);
  }

  /** Questions without an answer: more may be granted than is known. They are asked again. */
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

  /** At the end of the process: gives up everything but what depends on a question that is not answered yet. */
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
    // Where nothing was granted, events-service has no lease.
    if (lease.grantedNanos > 0n) this.#returned.add(lease);
  }

  #returnRest(lease: Lease): void {
    if (lease.returnRest()) this.#returned.add(lease);
  }

  #isUnreported(lease: Lease): boolean {
    return this.#returned.has(lease) || this.#filled.has(lease);
  }
}

/** About what is spent here in ten seconds, in whole ads; nothing is known of it in the first ten. */
function adsWanted({ rate, sinceMs }: Account, costNanos: number, nowMs: number): number {
  const ads = Math.ceil(rate.at(nowMs) / costNanos);
  return Math.max(ads, Math.abs(nowMs - sinceMs) < RATE_MS ? FIRST_ADS : 1);
}
