import type { CampaignId } from '@placard/service-kit/pure';
import { formatsOf, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { forecastOf, type Forecast, type TrafficGroup } from '../domain/forecast.js';
import type { PaceAnchor, PaceKnowledge } from '../domain/pace.js';
import { NO_CLOSED_FILLS, type ClosedFills } from '../domain/show-rates.js';

/** Kinds of reach whose mixed curve is kept. */
const FORECASTS_MAX = 4_096;

/**
 * What this process knows for campaigns' plans: anchors, what became of their fills, when they were resumed, and what
 * traffic is expected. It holds at most one of each for a campaign of the catalog; whatever is missing is assumed.
 */
export class PaceMemory {
  readonly #anchors = new Map<CampaignId, PaceAnchor>();
  readonly #closed = new Map<CampaignId, ClosedFills>();
  readonly #resumedAt = new Map<CampaignId, number>();
  /** Campaigns that were last seen paused, ended or without an approved advertiser. */
  readonly #paused = new Set<CampaignId>();
  #groups: readonly TrafficGroup[] = [];
  #forecasts = new WeakMap<IndexedCampaign, Forecast>();
  readonly #forecastByReach = new Map<string, Forecast>();

  /** What is known for the campaign's plan. */
  of(entry: IndexedCampaign): PaceKnowledge {
    const { id } = entry.campaign;
    return {
      anchor: this.#anchors.get(id) ?? null,
      resumedAtMs: this.#resumedAt.get(id) ?? null,
      closed: this.#closed.get(id) ?? NO_CLOSED_FILLS,
      forecast: this.#forecast(entry),
    };
  }

  /** Remembers the anchor that holds. */
  setAnchor(id: CampaignId, anchor: PaceAnchor): void {
    this.#anchors.set(id, anchor);
  }

  /** Remembers what became of the campaign's fills. */
  setClosed(id: CampaignId, closed: ClosedFills): void {
    this.#closed.set(id, closed);
  }

  /** App categories and formats whose day of traffic is known. */
  get groups(): readonly TrafficGroup[] {
    return this.#groups;
  }

  /** Takes in the learned days of traffic; all plans follow them from now on. */
  setTraffic(groups: readonly TrafficGroup[]): void {
    this.#groups = groups;
    this.#forecasts = new WeakMap();
    this.#forecastByReach.clear();
  }

  /** Notes a campaign as the catalog has it now; one that serves again after a pause is resumed. */
  follow(entry: IndexedCampaign, nowMs: number): void {
    const { id } = entry.campaign;
    if (!entry.isServable) this.#paused.add(id);
    else if (this.#paused.delete(id)) this.#resumedAt.set(id, nowMs);
  }

  /** Forgets a campaign that is gone from the catalog. */
  drop(id: CampaignId): void {
    this.#anchors.delete(id);
    this.#closed.delete(id);
    this.#resumedAt.delete(id);
    this.#paused.delete(id);
  }

  #forecast(entry: IndexedCampaign): Forecast {
    let forecast = this.#forecasts.get(entry);
    if (forecast === undefined) {
      forecast = this.#forecastFor(entry);
      this.#forecasts.set(entry, forecast);
    }
    return forecast;
  }

  /** Campaigns with the same reach share one curve. */
  #forecastFor(entry: IndexedCampaign): Forecast {
    const reach = { formats: formatsOf(entry), categories: [...entry.campaign.appCategories].sort() };
    const key = JSON.stringify(reach);
    let forecast = this.#forecastByReach.get(key);
    if (forecast === undefined) {
      forecast = forecastOf(this.#groups, reach);
      if (this.#forecastByReach.size >= FORECASTS_MAX) this.#forecastByReach.clear();
      this.#forecastByReach.set(key, forecast);
    }
    return forecast;
  }
}
