import type {
  Advertiser,
  AdvertiserId,
  App,
  AppId,
  AppKey,
  Campaign,
  CampaignId,
  CatalogReader,
  Creative,
  CreativeId,
  Global,
  Placement,
  PlacementCode,
  Publisher,
  PublisherId,
} from '../pure/index.js';
import { placementKey, type ObjectOf } from './object.js';
import { SortedGroups } from './sorted-groups.js';

type Tables = { readonly [Kind in keyof ObjectOf]: Map<string, ObjectOf[Kind]> };

/**
 * The catalog in memory: a table for each kind and three further indexes. `put` and `remove` keep them current; their
 * cost does not depend on the size of the catalog. References are not checked here: the writer has checked them.
 */
export class Catalog implements CatalogReader {
  version = 0;
  /** The default while the writer has stored no global object. */
  global: Global = { isServingEnabled: true };
  readonly #tables: Tables = {
    publisher: new Map(),
    app: new Map(),
    placement: new Map(),
    advertiser: new Map(),
    campaign: new Map(),
    creative: new Map(),
  };
  readonly #appsByKey = new Map<string, App>();
  readonly #placementsByApp = new SortedGroups<Placement>((placement) => placement.code);
  readonly #creativesByCampaign = new SortedGroups<Creative>((creative) => creative.id);

  publisher(id: PublisherId): Publisher | undefined {
    return this.#tables.publisher.get(id);
  }

  app(id: AppId): App | undefined {
    return this.#tables.app.get(id);
  }

  appByKey(key: AppKey): App | undefined {
    return this.#appsByKey.get(key);
  }

  placement(appId: AppId, code: PlacementCode): Placement | undefined {
    return this.#tables.placement.get(placementKey(appId, code));
  }

  placementsOf(appId: AppId): readonly Placement[] {
    return this.#placementsByApp.of(appId);
  }

  advertiser(id: AdvertiserId): Advertiser | undefined {
    return this.#tables.advertiser.get(id);
  }

  campaign(id: CampaignId): Campaign | undefined {
    return this.#tables.campaign.get(id);
  }

  campaigns(): Iterable<Campaign> {
    return this.#tables.campaign.values();
  }

  creative(id: CreativeId): Creative | undefined {
    return this.#tables.creative.get(id);
  }

  creativesOf(campaignId: CampaignId): readonly Creative[] {
    return this.#creativesByCampaign.of(campaignId);
  }

  /** The table of one kind, by key. The caller must not change it. */
  table<Kind extends keyof ObjectOf>(kind: Kind): ReadonlyMap<string, ObjectOf[Kind]> {
    return this.#tables[kind];
  }

  /** Adds an object, or replaces the one with the same key. */
  put<Kind extends keyof ObjectOf>(kind: Kind, key: string, value: ObjectOf[Kind]): void {
    this.#unlink(kind, key);
    this.#tables[kind].set(key, value);
    if (kind === 'app') this.#appsByKey.set((value as App).appKey, value as App);
    else if (kind === 'placement') this.#placementsByApp.add((value as Placement).appId, value as Placement);
    else if (kind === 'creative')
      this.#creativesByCampaign.add((value as Creative).campaignId, value as Creative);
  }

  /** Removes an object; false when there was none. */
  remove(kind: keyof ObjectOf, key: string): boolean {
    this.#unlink(kind, key);
    return this.#tables[kind].delete(key);
  }

  #unlink(kind: keyof ObjectOf, key: string): void {
    if (kind === 'app') {
      const app = this.#tables.app.get(key);
      // Two apps may swap their keys in one change: the other app may hold the key already.
      if (app !== undefined && this.#appsByKey.get(app.appKey) === app) this.#appsByKey.delete(app.appKey);
    } else if (kind === 'placement') {
      const placement = this.#tables.placement.get(key);
      if (placement !== undefined) this.#placementsByApp.drop(placement.appId, placement.code);
    } else if (kind === 'creative') {
      const creative = this.#tables.creative.get(key);
      if (creative !== undefined) this.#creativesByCampaign.drop(creative.campaignId, creative.id);
    }
  }
}
