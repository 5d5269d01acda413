import { GLOBAL_ID } from '../../catalog/domain/kinds.js';
import type { OperationId, RoutesOf, Schemas } from '../../manage/domain/operations.js';
import { kindRoutes, type ObjectsRoutesDeps } from './kind-routes.js';

type Noun = 'Publisher' | 'App' | 'Placement' | 'Advertiser' | 'Campaign' | 'Creative';
type ObjectsOperation =
  | (OperationId & (`list${Noun}s` | `${'get' | 'create' | 'change' | 'remove'}${Noun}`))
  | 'getGlobal'
  | 'changeGlobal';

/**
 * The objects of the catalog, each by itself.
 * Contract: docs/contract/operator-interface.md#objects-of-the-catalog.
 */
export function objectsRoutes(deps: ObjectsRoutesDeps): RoutesOf<ObjectsOperation> {
  const globalObject = kindRoutes<Schemas['Global']>('global', deps);
  const publishers = kindRoutes<Schemas['Publisher']>('publisher', deps);
  const apps = kindRoutes<Schemas['App']>('app', deps);
  const placements = kindRoutes<Schemas['Placement']>('placement', deps);
  const advertisers = kindRoutes<Schemas['Advertiser']>('advertiser', deps);
  const campaigns = kindRoutes<Schemas['Campaign']>('campaign', deps);
  const creatives = kindRoutes<Schemas['Creative']>('creative', deps);
  return {
    getGlobal: () => globalObject.get({ path: { id: GLOBAL_ID } }),
    changeGlobal: ({ actor, body, ifMatch }) =>
      globalObject.change({ actor, body, ifMatch, path: { id: GLOBAL_ID } }),
    listPublishers: (request) => publishers.list(request),
    getPublisher: (request) => publishers.get(request),
    createPublisher: (request) => publishers.create(request),
    changePublisher: (request) => publishers.change(request),
    removePublisher: (request) => publishers.remove(request),
    listApps: (request) => apps.list(request),
    getApp: (request) => apps.get(request),
    createApp: (request) => apps.create(request),
    changeApp: (request) => apps.change(request),
    removeApp: (request) => apps.remove(request),
    listPlacements: (request) => placements.list(request),
    getPlacement: (request) => placements.get(request),
    createPlacement: (request) => placements.create(request),
    changePlacement: (request) => placements.change(request),
    removePlacement: (request) => placements.remove(request),
    listAdvertisers: (request) => advertisers.list(request),
    getAdvertiser: (request) => advertisers.get(request),
    createAdvertiser: (request) => advertisers.create(request),
    changeAdvertiser: (request) => advertisers.change(request),
    removeAdvertiser: (request) => advertisers.remove(request),
    listCampaigns: (request) => campaigns.list(request),
    getCampaign: (request) => campaigns.get(request),
    createCampaign: (request) => campaigns.create(request),
    changeCampaign: (request) => campaigns.change(request),
    removeCampaign: (request) => campaigns.remove(request),
    listCreatives: (request) => creatives.list(request),
    getCreative: (request) => creatives.get(request),
    createCreative: (request) => creatives.create(request),
    changeCreative: (request) => creatives.change(request),
    removeCreative: (request) => creatives.remove(request),
  };
}
