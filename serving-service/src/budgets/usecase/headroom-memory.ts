import { dayOf, minuteOf, MINUTE_MS, type CampaignId } from '@placard/service-kit/pure';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { PaceMemory } from '../../pacing/usecase/pace-memory.js';

/** The index, as far as it can pass over campaigns. */
export interface RestingIndex {
  get(id: CampaignId): IndexedCampaign | undefined;
  rest(entry: IndexedCampaign): void;
  wake(entry: IndexedCampaign): void;
}

/** Why a campaign is not tried: which budget has no room, ahead of its plan, or nobody could be asked. */
export type RestReason = 'total' | 'day' | 'balance' | 'pace' | 'unknown';

interface Rest {
  readonly entry: IndexedCampaign;
  readonly reason: RestReason;
}

/**
 * What this process remembers of budgets between requests: which campaigns get no money just now, so that they are not
 * tried in vain with each request, and what their plans are made of. It decides nothing about money: whoever is not
 * remembered is tried, and those that are remembered are looked at again each second.
 */
export class BudgetOutlook {
  readonly #resting = new Map<CampaignId, Rest>();
  readonly #index: RestingIndex;
  #minute = 0;
  /** What the plans of campaigns are made of. */
  readonly pace = new PaceMemory();

  constructor(index: RestingIndex) {
    this.#index = index;
  }

  /** Campaigns that rest. */
  get spentCount(): number {
    return this.#resting.size;
  }

  /** Whether trying the campaign would be in vain. A changed limit is another entry, which is tried at once. */
  isSpent(entry: IndexedCampaign): boolean {
    return this.#resting.get(entry.campaign.id)?.entry === entry;
  }

  /**
   * Takes in which minute it is, before a request looks for candidates: a new one wakes whoever waits for its pace, a new UTC
   * day whoever has spent the last one's budget. The clock may jump either way.
   */
  turnTo(nowMs: number): void {
    const minute = minuteOf(nowMs);
    if (minute === this.#minute) return;
    const isNewDay = dayOf(nowMs) !== this.#day;
    this.#minute = minute;
    for (const [id, { reason }] of [...this.#resting]) {
      if (reason === 'pace' || (reason === 'day' && isNewDay)) this.wake(id);
    }
  }

  /** Lets the campaign rest; what was found for another entry, day or minute's plan says nothing of now. */
  rest(entry: IndexedCampaign, reason: RestReason, minute: number): void {
    if (this.#index.get(entry.campaign.id) !== entry) return;
    if (reason === 'pace' && minute !== this.#minute) return;
    if (reason === 'day' && dayOf(minute * MINUTE_MS) !== this.#day) return;
    this.#resting.set(entry.campaign.id, { entry, reason });
    this.#index.rest(entry);
  }

  /** Lets the campaign be tried again. */
  wake(id: CampaignId): void {
    const resting = this.#resting.get(id);
    if (resting === undefined) return;
    this.#resting.delete(id);
    this.#index.wake(resting.entry);
  }

  /** Wakes campaigns for which nobody could be asked. */
  wakeUnknown(): void {
    for (const [id, { reason }] of [...this.#resting]) if (reason === 'unknown') this.wake(id);
  }

  /** Notes a campaign as the catalog has it now: whatever has changed, it is tried again. */
  follow(entry: IndexedCampaign, nowMs: number): void {
    this.wake(entry.campaign.id);
    this.pace.follow(entry, nowMs);
  }

  /** Forgets a campaign that is gone from the catalog. */
  drop(id: CampaignId): void {
    this.wake(id);
    this.pace.drop(id);
  }

  /** The next resting campaigns to look at again, those first that have waited longest; they move to the end. */
  takeResting(countMax: number): IndexedCampaign[] {
    const taken = [...this.#resting.values()].slice(0, countMax);
    for (const rest of taken) {
      const { id } = rest.entry.campaign;
      this.#resting.delete(id);
      this.#resting.set(id, rest);
    }
    return taken.map(({ entry }) => entry);
  }

  get #day(): number {
    return dayOf(this.#minute * MINUTE_MS);
  }
}
