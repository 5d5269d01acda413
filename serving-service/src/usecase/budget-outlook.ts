import type { CampaignId } from '@placard/service-kit/pure';
import type { ReserveFinding } from '../domain/budget.js';
import type { IndexedCampaign } from '../domain/indexed-campaign.js';
import type { PaceKnowledge } from '../domain/pacing/pace.js';
import { PaceMemory } from './pace-memory.js';

/**
 * What this process remembers of budgets between requests: which campaigns cannot reserve just now, so that they are
 * not tried in vain with each request, and what their plans are made of. It decides nothing about money: whoever is not
 * remembered is tried, and those that are remembered are looked at again each second.
 */
export class BudgetOutlook {
  readonly #spent = new Map<CampaignId, IndexedCampaign>();
  /** What the plans of campaigns are made of. */
  readonly pace = new PaceMemory();

  /** Campaigns that are remembered as without budget or ahead of their pace. */
  get spentCount(): number {
    return this.#spent.size;
  }

  /** Whether trying the campaign would be in vain. A changed limit is another entry, which is tried at once. */
  isSpent(entry: IndexedCampaign): boolean {
    return this.#spent.size > 0 && this.#spent.get(entry.campaign.id) === entry;
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
      case 'pace':
        this.#spent.set(id, entry);
        break;
      case 'reserved':
        this.#spent.delete(id);
        break;
      case 'anchor':
        if (finding.anchor !== null) this.pace.setAnchor(id, finding.anchor);
        this.#spent.delete(id);
        break;
      case 'unknown':
      case 'untried':
        break;
    }
  }

  /** Remembers that the campaign's counters could not be had; it is looked at again each second. */
  setUnknown(entry: IndexedCampaign): void {
    this.#spent.set(entry.campaign.id, entry);
  }

  /** Forgets a campaign whose catalog objects or counters have changed. */
  forget(id: CampaignId): void {
    this.#spent.delete(id);
  }

  /** Forgets campaigns that are gone from the catalog for good. */
  drop(id: CampaignId): void {
    this.#spent.delete(id);
    this.pace.drop(id);
  }

  /** The next campaigns to look at again, those first that have waited longest; they move to the end. */
  takeSpent(countMax: number): IndexedCampaign[] {
    const limit = Math.min(countMax, this.#spent.size);
    const taken: IndexedCampaign[] = [];
    for (const [id, entry] of this.#spent) {
      if (taken.length >= limit) break;
      taken.push(entry);
      this.#spent.delete(id);
      this.#spent.set(id, entry);
    }
    return taken;
  }
}
