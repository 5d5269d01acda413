import type { CampaignId } from '@placard/service-kit/pure';
import type { ReserveFinding } from '../domain/budget.js';
import type { IndexedCampaign } from '../domain/indexed-campaign.js';
import type { PaceKnowledge } from '../domain/pacing/pace.js';
import { PaceMemory } from './pace-memory.js';

/** The index, as far as it can pass over campaigns. */
export interface RestingIndex {
  rest(entry: IndexedCampaign): void;
  wake(entry: IndexedCampaign): void;
}

/**
 * What this process remembers of budgets between requests: which campaigns cannot reserve just now, so that they are
 * not tried in vain with each request, and what their plans are made of. It decides nothing about money: whoever is not
 * remembered is tried, and those that are remembered are looked at again each second.
 */
export class BudgetOutlook {
  /** Without budget: only money that comes back or another limit changes that. */
  readonly #spent = new Map<CampaignId, IndexedCampaign>();
  /** Ahead of their pace, or not known: the next second may change that. */
  readonly #waiting = new Map<CampaignId, IndexedCampaign>();
  /** Those of them that were refused for their daily budget. */
  readonly #spentToday = new Set<CampaignId>();
  readonly #index: RestingIndex | null;
  #day = 0;
  /** What the plans of campaigns are made of. */
  readonly pace = new PaceMemory();

  /** `index` is told which campaigns need not be looked at; null: nobody is. */
  constructor(index: RestingIndex | null = null) {
    this.#index = index;
  }

  /** Campaigns that are remembered as without budget or ahead of their pace. */
  get spentCount(): number {
    return this.#spent.size + this.#waiting.size;
  }

  /** Whether trying the campaign would be in vain. A changed limit is another entry, which is tried at once. */
  isSpent(entry: IndexedCampaign): boolean {
    const { id } = entry.campaign;
    if (this.#spent.get(id) !== entry && this.#waiting.get(id) !== entry) return false;
    // The index has forgotten it.
    this.#index?.rest(entry);
    return true;
  }

  /** What is known for the campaign's plan. */
  paceOf(entry: IndexedCampaign): PaceKnowledge {
    return this.pace.of(entry);
  }

  /** Remembers what an atomic step has found for a campaign. */
  note(entry: IndexedCampaign, finding: ReserveFinding): void {
    const { id } = entry.campaign;
    if (finding.verdict !== 'untried') this.pace.noteTried(entry);
    switch (finding.verdict) {
      case 'total':
      case 'day':
      case 'balance':
        this.#remember(this.#spent, entry);
        if (finding.verdict === 'day') this.#spentToday.add(id);
        else this.#spentToday.delete(id);
        break;
      case 'pace':
        this.#remember(this.#waiting, entry);
        break;
      case 'reserved':
        this.forget(id);
        break;
      case 'anchor':
        if (finding.anchor !== null) this.pace.setAnchor(id, finding.anchor);
        this.forget(id);
        break;
      case 'unknown':
      case 'untried':
        break;
    }
  }

  /** Remembers that the campaign's counters could not be had; it is looked at again each second. */
  setUnknown(entry: IndexedCampaign): void {
    this.#remember(this.#waiting, entry);
  }

  /** Forgets a campaign whose catalog objects or counters have changed. */
  forget(id: CampaignId): void {
    const entry = this.#spent.get(id) ?? this.#waiting.get(id);
    if (entry === undefined) return;
    this.#spent.delete(id);
    this.#spentToday.delete(id);
    this.#waiting.delete(id);
    this.#index?.wake(entry);
  }

  /** Forgets what yesterday's daily budgets refused, once a UTC day. */
  startDay(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    for (const id of [...this.#spentToday]) this.forget(id);
  }

  /** Forgets campaigns that are gone from the catalog for good. */
  drop(id: CampaignId): void {
    this.forget(id);
    this.pace.drop(id);
  }

  /**
   * The next campaigns to look at again, those first that have waited longest; they move to the end. Campaigns that wait for
   * their pace come before those without budget.
   */
  takeSpent(countMax: number): IndexedCampaign[] {
    const waiting = takeFrom(this.#waiting, countMax);
    return waiting.concat(takeFrom(this.#spent, countMax - waiting.length));
  }

  #remember(among: Map<CampaignId, IndexedCampaign>, entry: IndexedCampaign): void {
    const { id } = entry.campaign;
    if (among.get(id) !== entry) this.forget(id);
    among.set(id, entry);
    this.#index?.rest(entry);
  }
}

function takeFrom(entries: Map<CampaignId, IndexedCampaign>, countMax: number): IndexedCampaign[] {
  const taken: IndexedCampaign[] = [];
  const limit = Math.min(countMax, entries.size);
  for (const [id, entry] of entries) {
    if (taken.length >= limit) break;
    taken.push(entry);
    entries.delete(id);
    entries.set(id, entry);
  }
  return taken;
}
