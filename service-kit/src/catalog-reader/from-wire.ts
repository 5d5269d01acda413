import * as wire from '@placard/protos/catalog/v1/catalog.js';
import {
  asAdvertiserId,
  asAppId,
  asAppKey,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  type AdFormat,
  type App,
  type Campaign,
  type Creative,
  type FrequencyCap,
  type Placement,
} from '../pure/index.js';
import { placementKey, type CatalogObject, type ObjectName } from './object.js';
import {
  adFormatFromWire,
  campaignStatusFromWire,
  capPeriodFromWire,
  creativeTypeFromWire,
  fallbackProviderFromWire,
  pacingFromWire,
} from './wire-enums.js';

/** What one object on the wire means. */
export type ObjectRead =
  | { readonly isKnown: true; readonly object: CatalogObject }
  /** A newer release says something that this one does not know: the object is to be left out (null: no name either). */
  | { readonly isKnown: false; readonly name: ObjectName | null };

/** Reads one object. Lists that are empty share one array, since most are. */
export function objectFromWire({ object }: wire.CatalogObject): ObjectRead {
  switch (object?.$case) {
    case undefined:
      return { isKnown: false, name: null };
    case 'global':
      return known({ kind: 'global', value: { isServingEnabled: object.value.servingEnabled } });
    case 'publisher': {
      const { id, approved, servingEnabled, revenueShareBp } = object.value;
      const value = {
        id: asPublisherId(id),
        isApproved: approved,
        isServingEnabled: servingEnabled,
        revenueShareBp,
      };
      return known({ kind: 'publisher', value });
    }
    case 'app':
      return known({ kind: 'app', value: toApp(object.value) });
    case 'placement': {
      const key = placementKey(asAppId(object.value.appId), asPlacementCode(object.value.code));
      return knownOr('placement', key, toPlacement(object.value));
    }
    case 'advertiser': {
      const { id, approved, fundedNanos } = object.value;
      return known({
        kind: 'advertiser',
        value: { id: asAdvertiserId(id), isApproved: approved, fundedNanos },
      });
    }
    case 'campaign':
      return knownOr('campaign', object.value.id, toCampaign(object.value));
    case 'creative':
      return knownOr('creative', object.value.id, toCreative(object.value));
  }
}

/** Null: a kind that this release does not know. */
export function nameFromWire(deletion: wire.Deletion): ObjectName | null {
  const kind = KIND_OF.get(deletion.kind);
  return kind === undefined ? null : { kind, key: deletion.id };
}

const KIND_OF = new Map<wire.ObjectKind, ObjectName['kind']>([
  [wire.ObjectKind.GLOBAL, 'global'],
  [wire.ObjectKind.PUBLISHER, 'publisher'],
  [wire.ObjectKind.APP, 'app'],
  [wire.ObjectKind.PLACEMENT, 'placement'],
  [wire.ObjectKind.ADVERTISER, 'advertiser'],
  [wire.ObjectKind.CAMPAIGN, 'campaign'],
  [wire.ObjectKind.CREATIVE, 'creative'],
]);

function known(object: CatalogObject): ObjectRead {
  return { isKnown: true, object };
}

function knownOr(
  kind: 'placement' | 'campaign' | 'creative',
  key: string,
  value: Placement | Campaign | Creative | null,
): ObjectRead {
  if (value === null) return { isKnown: false, name: { kind, key } };
  return known({ kind, value } as CatalogObject);
}

function toApp(app: wire.App): App {
  return {
    id: asAppId(app.id),
    publisherId: asPublisherId(app.publisherId),
    appKey: asAppKey(app.appKey),
    packageName: app.packageName,
    isApproved: app.approved,
    isBlocked: app.blocked,
    isServingEnabled: app.servingEnabled,
    isFallbackEnabled: app.fallbackEnabled,
    language: app.language,
    category: app.category ?? null,
    requestTimeoutMs: app.requestTimeoutMs,
    configTtlSeconds: app.configTtlSeconds,
  };
}

function toPlacement(placement: wire.Placement): Placement | null {
  const format = adFormatFromWire(placement.format);
  const fallbackProvider = fallbackProviderFromWire(placement.fallbackProvider);
  const frequencyCap = toCap(placement.frequencyCap);
  if (format === null || fallbackProvider === null || frequencyCap === 'unknown') return null;
  return {
    appId: asAppId(placement.appId),
    code: asPlacementCode(placement.code),
    format,
    isPaused: placement.paused,
    isEnabled: placement.enabled,
    isDisabledByAdmin: placement.disabledByAdmin,
    fallbackProvider,
    partnerAdUnitId: placement.partnerAdUnitId ?? null,
    requestTimeoutMs: placement.requestTimeoutMs,
    frequencyCap,
    bannerRefreshSeconds: placement.bannerRefreshSeconds,
  };
}

function toCampaign(campaign: wire.Campaign): Campaign | null {
  const status = campaignStatusFromWire(campaign.status);
  const pacing = pacingFromWire(campaign.pacing);
  const formats = campaign.formats.map(adFormatFromWire);
  const frequencyCap = toCap(campaign.frequencyCap);
  if (status === null || pacing === null || frequencyCap === 'unknown') return null;
  if (!formats.every((format) => format !== null)) return null;
  return {
    id: asCampaignId(campaign.id),
    advertiserId: asAdvertiserId(campaign.advertiserId),
    status,
    costNanos: campaign.costNanos,
    startsAtMs: campaign.startsAtMs === undefined ? null : Number(campaign.startsAtMs),
    endsAtMs: campaign.endsAtMs === undefined ? null : Number(campaign.endsAtMs),
    budgetTotalNanos: campaign.budgetTotalNanos ?? null,
    budgetDailyNanos: campaign.budgetDailyNanos ?? null,
    pacing,
    countries: shared(campaign.countries),
    formats: shared<AdFormat>(formats),
    languages: shared(campaign.languages),
    appIds: shared(campaign.appIds.map(asAppId)),
    appCategories: shared(campaign.appCategories),
    androidVersions: shared(campaign.androidVersions),
    frequencyCap,
  };
}

function toCreative(creative: wire.Creative): Creative | null {
  const format = adFormatFromWire(creative.format);
  const type = creativeTypeFromWire(creative.type);
  if (format === null || type === null) return null;
  return {
    id: asCreativeId(creative.id),
    campaignId: asCampaignId(creative.campaignId),
    format,
    type,
    url: creative.url,
    clickUrl: creative.clickUrl,
    width: creative.width ?? null,
    height: creative.height ?? null,
    durationSeconds: creative.durationSeconds ?? null,
    isApproved: creative.approved,
  };
}

function toCap(cap: wire.FrequencyCap | undefined): FrequencyCap | null | 'unknown' {
  if (cap === undefined) return null;
  const period = capPeriodFromWire(cap.period);
  return period === null ? 'unknown' : { count: cap.count, period };
}

const EMPTY: readonly never[] = Object.freeze([]);

function shared<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? EMPTY : list;
}
