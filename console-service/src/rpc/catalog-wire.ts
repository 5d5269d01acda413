import {
  ObjectKind as WireKind,
  type CatalogObject,
  type Deletion,
  type FrequencyCap,
} from '@placard/protos/catalog/v1/catalog.js';
import {
  adFormatToWire,
  campaignStatusToWire,
  capPeriodToWire,
  creativeTypeToWire,
  fallbackProviderToWire,
  pacingToWire,
} from '@placard/service-kit';
import {
  AD_FORMATS,
  CAMPAIGN_STATUSES,
  CAP_PERIODS,
  CREATIVE_TYPES,
  FALLBACK_PROVIDERS,
  PACINGS,
  primaryLanguage,
} from '@placard/service-kit/pure';
import { amountNanos } from '../domain/decimal.js';
import type { CapValue, FieldValue } from '../domain/field-types.js';
import type { ObjectKind } from '../domain/kinds.js';
import { ownIdOf } from '../domain/catalog-object.js';
import type { CatalogRow } from '../domain/catalog-object.js';
import { FieldReader } from './field-reader.js';

const KINDS: Readonly<Record<ObjectKind, WireKind>> = {
  global: WireKind.GLOBAL,
  publisher: WireKind.PUBLISHER,
  app: WireKind.APP,
  placement: WireKind.PLACEMENT,
  advertiser: WireKind.ADVERTISER,
  campaign: WireKind.CAMPAIGN,
  creative: WireKind.CREATIVE,
};
const BASIS_POINT_NANOS = 100_000n;
const MICROS = 1_000n;

/** A tombstone as readers are told of it. */
export function toDeletion(row: CatalogRow): Deletion {
  return { kind: KINDS[row.kind], id: row.id };
}

/** An object as readers are told of it: money in nano-units, instants in epoch ms, languages as primary subtags. */
export function toCatalogObject(row: CatalogRow): CatalogObject {
  return { object: toObject(row, new FieldReader(row)) };
}

function toObject(row: CatalogRow, fields: FieldReader): CatalogObject['object'] {
  switch (row.kind) {
    case 'global':
      return { $case: 'global', value: { servingEnabled: fields.flag('serving_enabled') } };
    case 'publisher':
      return { $case: 'publisher', value: toPublisher(row, fields) };
    case 'app':
      return { $case: 'app', value: toApp(row, fields) };
    case 'placement':
      return { $case: 'placement', value: toPlacement(row, fields) };
    case 'advertiser':
      return {
        $case: 'advertiser',
        value: { id: row.id, approved: fields.flag('approved'), fundedNanos: row.fundedNanos },
      };
    case 'campaign':
      return { $case: 'campaign', value: toCampaign(row, fields) };
    case 'creative':
      return { $case: 'creative', value: toCreative(row, fields) };
  }
}

function toPublisher(row: CatalogRow, fields: FieldReader) {
  return {
    id: row.id,
    approved: fields.flag('approved'),
    servingEnabled: fields.flag('serving_enabled'),
    revenueShareBp: Number(amountNanos(fields.text('revenue_share')) / BASIS_POINT_NANOS),
  };
}

function toApp(row: CatalogRow, fields: FieldReader) {
  return {
    id: row.id,
    publisherId: row.parentId ?? '',
    appKey: fields.text('app_key'),
    packageName: fields.text('package_name'),
    approved: fields.flag('approved'),
    blocked: fields.flag('blocked'),
    servingEnabled: fields.flag('serving_enabled'),
    fallbackEnabled: fields.flag('fallback_enabled'),
    language: primarySubtag(fields.text('language')),
    category: fields.textOrNone('category'),
    requestTimeoutMs: fields.number('request_timeout_ms'),
    configTtlSeconds: fields.number('config_ttl_seconds'),
  };
}

function toPlacement(row: CatalogRow, fields: FieldReader) {
  return {
    appId: row.parentId ?? '',
    code: ownIdOf(row),
    format: adFormatToWire(wordOf(AD_FORMATS, fields.text('format'))),
    paused: fields.flag('paused'),
    enabled: fields.flag('enabled'),
    disabledByAdmin: fields.flag('disabled_by_admin'),
    fallbackProvider: fallbackProviderToWire(wordOf(FALLBACK_PROVIDERS, fields.text('fallback_provider'))),
    partnerAdUnitId: fields.textOrNone('partner_ad_unit_id'),
    requestTimeoutMs: fields.number('request_timeout_ms'),
    frequencyCap: toCap(fields.value('frequency_cap')),
    bannerRefreshSeconds: fields.number('banner_refresh_seconds'),
  };
}

function toCampaign(row: CatalogRow, fields: FieldReader) {
  return {
    id: row.id,
    advertiserId: row.parentId ?? '',
    status: campaignStatusToWire(wordOf(CAMPAIGN_STATUSES, fields.text('status'))),
    // The bid in micro-units is the cost of one impression in nano-units. Contract: docs/contract/money.md#unit.
    costNanos: amountNanos(fields.text('bid_cpm')) / MICROS,
    startsAtMs: toInstant(fields.textOrNone('starts_at')),
    endsAtMs: toInstant(fields.textOrNone('ends_at')),
    budgetTotalNanos: toNanos(fields.textOrNone('budget_total')),
    budgetDailyNanos: toNanos(fields.textOrNone('budget_daily')),
    pacing: pacingToWire(wordOf(PACINGS, fields.text('pacing'))),
    countries: fields.texts('countries'),
    formats: fields.texts('targeting.formats').map((word) => adFormatToWire(wordOf(AD_FORMATS, word))),
    languages: [...new Set(fields.texts('targeting.languages').map(primarySubtag))],
    appIds: fields.texts('targeting.app_ids'),
    appCategories: fields.texts('targeting.app_categories'),
    androidVersions: fields.numbers('targeting.android_versions'),
    frequencyCap: toCap(fields.value('frequency_cap')),
  };
}

function toCreative(row: CatalogRow, fields: FieldReader) {
  return {
    id: row.id,
    campaignId: row.parentId ?? '',
    format: adFormatToWire(wordOf(AD_FORMATS, fields.text('format'))),
    type: creativeTypeToWire(wordOf(CREATIVE_TYPES, fields.text('type'))),
    url: fields.text('url'),
    clickUrl: fields.text('click_url'),
    width: fields.numberOrNone('width'),
    height: fields.numberOrNone('height'),
    durationSeconds: fields.numberOrNone('duration_seconds'),
    approved: fields.flag('approved'),
  };
}

function primarySubtag(language: string): string {
  return primaryLanguage(language) ?? unknown(language);
}

function toCap(value: FieldValue): FrequencyCap | undefined {
  if (value === null) return undefined;
  const { count, period } = value as CapValue;
  return { count, period: capPeriodToWire(wordOf(CAP_PERIODS, period)) };
}

function toInstant(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(Date.parse(text));
}

function toNanos(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : amountNanos(text);
}

function wordOf<Word extends string>(words: readonly Word[], text: string): Word {
  return words.find((word) => word === text) ?? unknown(text);
}

function unknown(text: string): never {
  throw new Error(`the stored catalog holds ${text}, which this release does not know`);
}
