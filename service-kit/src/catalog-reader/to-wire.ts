import type * as wire from '@placard/protos/catalog/v1/catalog.js';
import type { App, Campaign, Creative, FrequencyCap, Placement } from '../pure/index.js';
import type { CatalogObject } from './object.js';
import {
  adFormatToWire,
  campaignStatusToWire,
  capPeriodToWire,
  creativeTypeToWire,
  fallbackProviderToWire,
  pacingToWire,
} from './wire-enums.js';

/** Writes one object as the stream and the file on disk have it. */
export function objectToWire(object: CatalogObject): wire.CatalogObject {
  switch (object.kind) {
    case 'global':
      return { object: { $case: 'global', value: { servingEnabled: object.value.isServingEnabled } } };
    case 'publisher': {
      const { id, isApproved, isServingEnabled, revenueShareBp } = object.value;
      const value = { id, approved: isApproved, servingEnabled: isServingEnabled, revenueShareBp };
      return { object: { $case: 'publisher', value } };
    }
    case 'app':
      return { object: { $case: 'app', value: fromApp(object.value) } };
    case 'placement':
      return { object: { $case: 'placement', value: fromPlacement(object.value) } };
    case 'advertiser': {
      const { id, isApproved, fundedNanos } = object.value;
      return { object: { $case: 'advertiser', value: { id, approved: isApproved, fundedNanos } } };
    }
    case 'campaign':
      return { object: { $case: 'campaign', value: fromCampaign(object.value) } };
    case 'creative':
      return { object: { $case: 'creative', value: fromCreative(object.value) } };
  }
}

function fromApp(app: App): wire.App {
  return {
    id: app.id,
    publisherId: app.publisherId,
    appKey: app.appKey,
    packageName: app.packageName,
    approved: app.isApproved,
    blocked: app.isBlocked,
    servingEnabled: app.isServingEnabled,
    fallbackEnabled: app.isFallbackEnabled,
    language: app.language,
    category: app.category ?? undefined,
    requestTimeoutMs: app.requestTimeoutMs,
    configTtlSeconds: app.configTtlSeconds,
  };
}

function fromPlacement(placement: Placement): wire.Placement {
  return {
    appId: placement.appId,
    code: placement.code,
    format: adFormatToWire(placement.format),
    paused: placement.isPaused,
    enabled: placement.isEnabled,
    disabledByAdmin: placement.isDisabledByAdmin,
    fallbackProvider: fallbackProviderToWire(placement.fallbackProvider),
    partnerAdUnitId: placement.partnerAdUnitId ?? undefined,
    requestTimeoutMs: placement.requestTimeoutMs,
    frequencyCap: fromCap(placement.frequencyCap),
    bannerRefreshSeconds: placement.bannerRefreshSeconds,
  };
}

function fromCampaign(campaign: Campaign): wire.Campaign {
  return {
    id: campaign.id,
    advertiserId: campaign.advertiserId,
    status: campaignStatusToWire(campaign.status),
    costNanos: campaign.costNanos,
    startsAtMs: campaign.startsAtMs === null ? undefined : BigInt(campaign.startsAtMs),
    endsAtMs: campaign.endsAtMs === null ? undefined : BigInt(campaign.endsAtMs),
    budgetTotalNanos: campaign.budgetTotalNanos ?? undefined,
    budgetDailyNanos: campaign.budgetDailyNanos ?? undefined,
    pacing: pacingToWire(campaign.pacing),
    countries: [...campaign.countries],
    formats: campaign.formats.map(adFormatToWire),
    languages: [...campaign.languages],
    appIds: [...campaign.appIds],
    appCategories: [...campaign.appCategories],
    androidVersions: [...campaign.androidVersions],
    frequencyCap: fromCap(campaign.frequencyCap),
  };
}

function fromCreative(creative: Creative): wire.Creative {
  return {
    id: creative.id,
    campaignId: creative.campaignId,
    format: adFormatToWire(creative.format),
    type: creativeTypeToWire(creative.type),
    url: creative.url,
    clickUrl: creative.clickUrl,
    width: creative.width ?? undefined,
    height: creative.height ?? undefined,
    durationSeconds: creative.durationSeconds ?? undefined,
    approved: creative.isApproved,
  };
}

function fromCap(cap: FrequencyCap | null): wire.FrequencyCap | undefined {
  return cap === null ? undefined : { count: cap.count, period: capPeriodToWire(cap.period) };
}
