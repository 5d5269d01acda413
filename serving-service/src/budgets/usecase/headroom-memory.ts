import { dayOf, minuteOf, MINUTE_MS, type CampaignId } from '@placard/service-kit/pure';
import { PaceMemory } from '../../pacing/usecase/pace-memory.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';

/** The index, as far as it can pass over campaigns. */
export interface SkippingIndex {
  get(id: CampaignId): IndexedCampaign | undefined;
  skip(entry: IndexedCampaign): void;
  retry(entry: IndexedCampaign): void;
}

/** The reason for which a campaign is skipped: the budget without headroom, ahead of its plan, or no answer to a call. */
export type SkipReason = 'total' | 'day' | 'balance' | 'pace' | 'unknown';

interface Skipped {
  readonly entry: IndexedCampaign;
  readonly reason: SkipReason;
}

/**
 * What this process remembers of budgets between requests: which campaigns get no money just now, so that they are not
 * tried in vain with each request, and what their plans are made of. It decides nothing about money: campaigns that are not
 * remembered are tried, and those that are remembered are looked at again each second.
 */
export class HeadroomMemory {
  readonly #skipped = new Map<CampaignId, Skipped>();
  readonly #index: SkippingIndex;
  #minute = 0;
  /** What the plans of campaigns are made of. */
  readonly pace = new PaceMemory();

  constructor(index: SkippingIndex) {
    this.#index = index;
  }

  /** Campaigns that are skipped. */
  get skippedCount(): number {
    return this.#skipped.size;
  }

  /** Whether trying the campaign would be in vain. A changed limit is another entry, which is tried at once. */
  isSkipped(entry: IndexedCampaign): boolean {
    return this.#skipped.get(entry.campaign.id)?.entry === entry;
  }

  /**
   * Takes in which minute it is, before a request looks for candidates. A new minute retries campaigns that wait for their
   * pace, a new UTC day those that have spent the budget of the last day. The clock may jump either way.
   */
  advanceTo(nowMs: number): void {
    const minute = minuteOf(nowMs);
    if (minute === this.#minute) return;
    const isNewDay = dayOf(nowMs) !== this.#day;
    this.#minute = minute;
    for (const [id, { reason }] of [...this.#skipped]) {
      if (reason === 'pace' || (reason === 'day' && isNewDay)) this.retry(id);
    }
  }

  /** Skips the campaign from now on; a verdict on another entry, day or minute's plan changes nothing. */
  skip(entry: IndexedCampaign, reason: SkipReason, minute: number): void {
    if (this.#index.get(entry.campaign.id) !== entry) return;
    if (reason === 'pace' && minute !== this.#minute) return;
    if (reason === 'day' && dayOf(minute * MINUTE_MS) !== this.#day) return;
    this.#skipped.set(entry.campaign.id, { entry, reason });
    this.#index.skip(entry);
  }

  /** Lets the campaign be tried again. */
  retry(id: CampaignId): void {
    const skipped = this.#skipped.get(id);
    if (skipped === undefined) return;
    this.#skipped.delete(id);
    this.#index.retry(skipped.entry);
  }

  /** Retries campaigns that were skipped since events-service could not be called. */
  retryUnknown(): void {
    for (const [id, { reason }] of [...this.#skipped]) if (reason === 'unknown') this.retry(id);
  }

  /** Notes a campaign as the catalog has it now: whatever has changed, it is tried again. */
  follow(entry: IndexedCampaign, nowMs: number): void {
    this.retry(entry.campaign.id);
    this.pace.follow(entry, nowMs);
  }

  /** Drops a campaign that is gone from the catalog. */
  drop(id: CampaignId): void {
    this.retry(id);
    this.pace.drop(id);
  }

  /** The next skipped campaigns to look at again, those first that have waited longest; they move to the end. */
  takeSkipped(countMax: number): IndexedCampaign[] {
    const taken = [...this.#skipped.values()].slice(0, countMax);
    for (const skipped of taken) {
      const { id } = skipped.entry.campaign;
      this.#skipped.delete(id);
      this.#skipped.set(id, skipped);
    }
    return taken.map(({ entry }) => entry);
  }

  get #day(): number {
    return dayOf(this.#minute * MINUTE_MS);
  }
}
