import { makeBoundedMap } from '@placard/service-kit/background';
import {
  type CampaignId,
  forecastOf,
  type Forecast,
  type TrafficGroup,
  type PaceAnchor,
  type PaceKnowledge,
  NO_CLOSED_FILLS,
  type ClosedFills,
} from '@placard/service-kit/pure';
import { formatsOf, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';

/** Most combinations of formats and categories whose mixed curve is cached. */
const FORECASTS_MAX = 4_096;

/**
 * The facts of this process for campaigns' plans: anchors, outcomes of fills, resumptions, and the expected traffic. It
 * holds at most one of each for a campaign of the catalog. Missing facts have defaults.
 */
export class PaceMemory {
  readonly #anchors = new Map<CampaignId, PaceAnchor>();
  readonly #closed = new Map<CampaignId, ClosedFills>();
  readonly #resumedAt = new Map<CampaignId, number>();
  /** Campaigns that were last paused, ended or without an approved advertiser. */
  readonly #paused = new Set<CampaignId>();
  #groups: readonly TrafficGroup[] = [];
  #forecasts = new WeakMap<IndexedCampaign, Forecast>();
  readonly #forecastByReach = makeBoundedMap<string, Forecast>(FORECASTS_MAX);

  /** The facts for the campaign's plan. */
  of(entry: IndexedCampaign): PaceKnowledge {
    const { id } = entry.campaign;
    return {
      anchor: this.#anchors.get(id) ?? null,
      resumedAtMs: this.#resumedAt.get(id) ?? null,
      closed: this.#closed.get(id) ?? NO_CLOSED_FILLS,
      forecast: this.#forecast(entry),
    };
  }

  /** Stores the valid anchor. */
  setAnchor(id: CampaignId, anchor: PaceAnchor): void {
    this.#anchors.set(id, anchor);
  }

  /** Stores the outcomes of the campaign's fills. */
  setClosed(id: CampaignId, closed: ClosedFills): void {
    this.#closed.set(id, closed);
  }

  /** Groups (app category and format) with a known day of traffic. */
  get groups(): readonly TrafficGroup[] {
    return this.#groups;
  }

  /** Stores the learned days of traffic. All plans use them from now on. */
  setTraffic(groups: readonly TrafficGroup[]): void {
    this.#groups = groups;
    this.#forecasts = new WeakMap();
    this.#forecastByReach.clear();
  }

  /** Records the current entry of a campaign. A campaign that serves again after a pause is resumed. */
  follow(entry: IndexedCampaign, nowMs: number): void {
    const { id } = entry.campaign;
    if (!entry.isServable) this.#paused.add(id);
    else if (this.#paused.delete(id)) this.#resumedAt.set(id, nowMs);
  }

  /** Removes a campaign that is no longer in the catalog. */
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

  /** Campaigns with the same formats and categories share one curve. */
  #forecastFor(entry: IndexedCampaign): Forecast {
    const reach = { formats: formatsOf(entry), categories: [...entry.campaign.appCategories].sort() };
    const key = JSON.stringify(reach);
    let forecast = this.#forecastByReach.get(key);
    if (forecast === undefined) {
      forecast = forecastOf(this.#groups, reach);
      this.#forecastByReach.set(key, forecast);
    }
    return forecast;
  }
}
