import {
  CATALOG_KINDS,
  type AdvertiserId,
  type AppId,
  type CampaignId,
  type CatalogDelta,
  type CatalogKind,
  type CreativeId,
  type KindDelta,
  type PublisherId,
} from '../pure/index.js';
import { splitPlacementKey } from './object.js';

/** Collects the differences between two versions. */
export class DeltaBuilder {
  isGlobalChanged = false;
  readonly #changed = emptySets();
  readonly #removed = emptySets();

  changed(kind: CatalogKind, key: string): void {
    this.#changed[kind].add(key);
    this.#removed[kind].delete(key);
  }

  removed(kind: CatalogKind, key: string): void {
    this.#removed[kind].add(key);
    this.#changed[kind].delete(key);
  }

  build(version: number): CatalogDelta {
    return {
      version,
      isGlobalChanged: this.isGlobalChanged,
      publishers: this.#kind('publisher', (key) => key as PublisherId),
      apps: this.#kind('app', (key) => key as AppId),
      placements: this.#kind('placement', splitPlacementKey),
      advertisers: this.#kind('advertiser', (key) => key as AdvertiserId),
      campaigns: this.#kind('campaign', (key) => key as CampaignId),
      creatives: this.#kind('creative', (key) => key as CreativeId),
    };
  }

  #kind<Id>(kind: CatalogKind, toId: (key: string) => Id): KindDelta<Id> {
    return {
      changed: Array.from(this.#changed[kind], toId),
      removed: Array.from(this.#removed[kind], toId),
    };
  }
}

function emptySets(): Record<CatalogKind, Set<string>> {
  return Object.fromEntries(CATALOG_KINDS.map((kind) => [kind, new Set<string>()])) as Record<
    CatalogKind,
    Set<string>
  >;
}
