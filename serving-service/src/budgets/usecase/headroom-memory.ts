import { dayOf, minuteOf, MINUTE_MS, type CampaignId } from '@placard/service-kit/pure';
import { PaceMemory } from '../../pacing/usecase/pace-memory.js';
import type { BudgetsLeft } from '../domain/lease-want.js';
import type { SkipReason } from '../domain/skip-reason.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';

/** The part of the index that can skip campaigns. */
export interface SkippingIndex {
  get(id: CampaignId): IndexedCampaign | undefined;
  skip(entry: IndexedCampaign): void;
  retry(entry: IndexedCampaign): void;
}

/** What was left of the budgets of an entry in a UTC day. */
interface NotedLeft {
  readonly entry: IndexedCampaign;
  readonly day: number;
  readonly left: BudgetsLeft;
}

const UNKNOWN_LEFT: BudgetsLeft = { totalNanos: null, dailyNanos: null };

interface Skipped {
  readonly entry: IndexedCampaign;
  readonly reason: SkipReason;
}

/**
 * The knowledge of this process about budgets between requests: campaigns that currently get no money and are skipped,
 * and the facts for their plans. It decides nothing about money. Unknown campaigns are tried, and skipped campaigns are
 * checked again each second.
 */
export class HeadroomMemory {
  readonly #skipped = new Map<CampaignId, Skipped>();
  readonly #left = new Map<CampaignId, NotedLeft>();
  readonly #index: SkippingIndex;
  #minute = 0;
  /** The facts for the plans of campaigns. */
  readonly pace = new PaceMemory();

  constructor(index: SkippingIndex) {
    this.#index = index;
  }

  /** The number of skipped campaigns. */
  get skippedCount(): number {
    return this.#skipped.size;
  }

  /** Whether to skip the campaign. After a change of a limit the campaign has another entry, which is tried at once. */
  isSkipped(entry: IndexedCampaign): boolean {
    return this.#skipped.get(entry.campaign.id)?.entry === entry;
  }

  /** The reason for which the campaign is skipped. Null: it is not. */
  reasonOf(entry: IndexedCampaign): SkipReason | null {
    const skipped = this.#skipped.get(entry.campaign.id);
    return skipped?.entry === entry ? skipped.reason : null;
  }

  /** What was left of the campaign's budgets at the last answer of events-service. */
  leftOf(entry: IndexedCampaign): BudgetsLeft {
    const noted = this.#left.get(entry.campaign.id);
    if (noted?.entry !== entry) return UNKNOWN_LEFT;
    return noted.day === this.#day ? noted.left : { ...noted.left, dailyNanos: null };
  }

  /** Records what is left of the campaign's budgets in the UTC day of a minute. */
  noteLeft(entry: IndexedCampaign, left: BudgetsLeft, minute: number): void {
    const { id } = entry.campaign;
    if (this.#index.get(id) !== entry || (left.totalNanos === null && left.dailyNanos === null)) return;
    this.#left.set(id, { entry, left, day: dayOf(minute * MINUTE_MS) });
  }

  /**
   * Moves to the minute of an instant, before a request looks for candidates. A new minute retries campaigns that are
   * ahead of their plan. A new UTC day retries campaigns that have spent their daily budget. The clock may jump either
   * way.
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

  /**
   * Skips the campaign from now on. A verdict on another entry, another day or another minute's plan changes nothing.
   */
  skip(entry: IndexedCampaign, reason: SkipReason, minute: number): void {
    if (this.#index.get(entry.campaign.id) !== entry) return;
    if (reason === 'pace' && minute !== this.#minute) return;
    if (reason === 'day' && dayOf(minute * MINUTE_MS) !== this.#day) return;
    this.#skipped.set(entry.campaign.id, { entry, reason });
    this.#index.skip(entry);
  }

  /** Tries the campaign again. */
  retry(id: CampaignId): void {
    const skipped = this.#skipped.get(id);
    if (skipped === undefined) return;
    this.#skipped.delete(id);
    this.#index.retry(skipped.entry);
  }

  /** Retries campaigns that were skipped because events-service could not be called. */
  retryUnknown(): void {
    for (const [id, { reason }] of [...this.#skipped]) if (reason === 'unknown') this.retry(id);
  }

  /** Records the current entry of a campaign. After any change the campaign is tried again. */
  follow(entry: IndexedCampaign, nowMs: number): void {
    this.retry(entry.campaign.id);
    this.pace.follow(entry, nowMs);
  }

  /** Removes a campaign that is no longer in the catalog. */
  drop(id: CampaignId): void {
    this.retry(id);
    this.#left.delete(id);
    this.pace.drop(id);
  }

  /** The next skipped campaigns to check, longest wait first. They move to the end of the list. */
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
