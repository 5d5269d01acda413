import {
  AD_FORMATS,
  CAMPAIGN_STATUSES,
  CREATIVE_TYPES,
  FALLBACK_PROVIDERS,
  PACINGS,
} from '@placard/service-kit/pure';
import {
  amount,
  choice,
  clickAddress,
  country,
  fileAddress,
  flag,
  frequencyCap,
  instant,
  language,
  list,
  pattern,
  positiveNumber,
  text,
  whole,
  type FieldType,
  type FieldValue,
} from './field-types.js';

/** Every kind of stored object, parents before children. */
export const OBJECT_KINDS = [
  'global',
  'publisher',
  'app',
  'placement',
  'advertiser',
  'campaign',
  'creative',
] as const;

/** A kind of stored object. */
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Id of the one `global` object. */
export const GLOBAL_ID = 'global';

/** One field of a kind. Contract: docs/catalog-file.md#fields. */
export interface FieldSpec {
  /** As in the file; a field of a mapping inside is written `targeting.formats`. */
  readonly name: string;
  readonly type: FieldType;
  /** What a new object gets, and what an explicit null sets. Undefined: the field is required and cannot be cleared. */
  readonly fallback: FieldValue | undefined;
  /** May not change once the object exists. */
  readonly isFixed?: boolean;
}

/** How a kind stands in the file. */
export interface KindSpec {
  readonly kind: ObjectKind;
  /** Name of the list that holds it; null for the global object, which is a mapping of its own. */
  readonly section: string | null;
  readonly idField: 'id' | 'code';
  readonly idType: FieldType;
  readonly fields: readonly FieldSpec[];
  readonly children: readonly ObjectKind[];
}

const CURRENCY_UNIT = 1_000_000_000n;
const MONEY_MAX = 1_000_000_000n * CURRENCY_UNIT;
const BID_MAX = 10_000n * CURRENCY_UNIT;
const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 255;
const CATEGORY_CHARS_MAX = 64;
const TIMEOUT_MS_MIN = 100;
const TIMEOUT_MS_MAX = 5_000;
const CONFIG_TTL_SECONDS_MAX = 2_592_000;
const REFRESH_SECONDS_MIN = 30;
const REFRESH_SECONDS_MAX = 86_400;
const PIXELS_MAX = 20_000;
const VIDEO_SECONDS_MAX = 3_600;
const ANDROID_VERSION_MAX = 1_000;

const slug = pattern(/^[a-z0-9_]{2,64}$/, 'made of 2 to 64 small letters, digits and _');
const format = choice(AD_FORMATS);
const category = text(CATEGORY_CHARS_MAX);
const packageName = pattern(
  /^(?=.{1,255}$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/,
  'an Android application id such as com.example.game',
);
const appKey = pattern(/^app_[A-Za-z0-9]{24}$/, 'app_ and 24 letters and digits');
const budget = amount({ isZeroAllowed: false, maxNanos: MONEY_MAX, decimalsMax: 9 });

const required = (name: string, type: FieldType): FieldSpec => ({ name, type, fallback: undefined });
const fixed = (name: string, type: FieldType): FieldSpec => ({ ...required(name, type), isFixed: true });
const optional = (name: string, type: FieldType, fallback: FieldValue): FieldSpec => ({
  name,
  type,
  fallback,
});

const GLOBAL: KindSpec = {
  kind: 'global',
  section: null,
  idField: 'id',
  idType: slug,
  fields: [optional('serving_enabled', flag, true)],
  children: [],
};

const PUBLISHER: KindSpec = {
  kind: 'publisher',
  section: 'publishers',
  idField: 'id',
  idType: slug,
  fields: [
    required('name', text(NAME_CHARS_MAX)),
    optional('approved', flag, false),
    optional('serving_enabled', flag, true),
    required('revenue_share', amount({ isZeroAllowed: true, maxNanos: CURRENCY_UNIT, decimalsMax: 4 })),
  ],
  children: ['app'],
};

const APP: KindSpec = {
  kind: 'app',
  section: 'apps',
  idField: 'id',
  idType: slug,
  fields: [
    required('app_key', appKey),
    required('package_name', packageName),
    required('name', text(NAME_CHARS_MAX)),
    optional('approved', flag, false),
    optional('blocked', flag, false),
    optional('serving_enabled', flag, true),
    optional('fallback_enabled', flag, true),
    optional('language', language, 'en'),
    optional('category', category, null),
    optional('request_timeout_ms', whole(TIMEOUT_MS_MIN, TIMEOUT_MS_MAX), 1_000),
    optional('config_ttl_seconds', whole(0, CONFIG_TTL_SECONDS_MAX), 300),
  ],
  children: ['placement'],
};

const PLACEMENT: KindSpec = {
  kind: 'placement',
  section: 'placements',
  idField: 'code',
  idType: slug,
  fields: [
    fixed('format', format),
    optional('paused', flag, false),
    optional('enabled', flag, true),
    optional('disabled_by_admin', flag, false),
    optional('fallback_provider', choice(FALLBACK_PROVIDERS), 'none'),
    optional('partner_ad_unit_id', text(TEXT_CHARS_MAX), null),
    optional('request_timeout_ms', whole(TIMEOUT_MS_MIN, TIMEOUT_MS_MAX), 1_000),
    optional('frequency_cap', frequencyCap, null),
    optional('banner_refresh_seconds', whole(REFRESH_SECONDS_MIN, REFRESH_SECONDS_MAX), 30),
  ],
  children: [],
};

const ADVERTISER: KindSpec = {
  kind: 'advertiser',
  section: 'advertisers',
  idField: 'id',
  idType: slug,
  fields: [
    required('name', text(NAME_CHARS_MAX)),
    optional('approved', flag, false),
    optional('balance', amount({ isZeroAllowed: true, maxNanos: MONEY_MAX, decimalsMax: 9 }), '0.00'),
  ],
  children: ['campaign'],
};

const CAMPAIGN: KindSpec = {
  kind: 'campaign',
  section: 'campaigns',
  idField: 'id',
  idType: pattern(/^cmp_[A-Za-z0-9_]{1,60}$/, 'cmp_ and 1 to 60 letters, digits and _'),
  fields: [
    required('name', text(NAME_CHARS_MAX)),
    optional('status', choice(CAMPAIGN_STATUSES), 'active'),
    required('bid_cpm', amount({ isZeroAllowed: false, maxNanos: BID_MAX, decimalsMax: 6 })),
    optional('starts_at', instant, null),
    optional('ends_at', instant, null),
    optional('budget_total', budget, null),
    optional('budget_daily', budget, null),
    optional('pacing', choice(PACINGS), 'even'),
    optional('countries', list(country), []),
    optional('targeting.formats', list(format), []),
    optional('targeting.languages', list(language), []),
    optional('targeting.app_ids', list(slug), []),
    optional('targeting.app_categories', list(category), []),
    optional('targeting.android_versions', list(whole(1, ANDROID_VERSION_MAX)), []),
    optional('frequency_cap', frequencyCap, null),
  ],
  children: ['creative'],
};

const CREATIVE: KindSpec = {
  kind: 'creative',
  section: 'creatives',
  idField: 'id',
  idType: pattern(/^cr_[A-Za-z0-9_]{1,60}$/, 'cr_ and 1 to 60 letters, digits and _'),
  fields: [
    fixed('format', format),
    required('type', choice(CREATIVE_TYPES)),
    required('url', fileAddress),
    required('click_url', clickAddress),
    optional('width', whole(1, PIXELS_MAX), null),
    optional('height', whole(1, PIXELS_MAX), null),
    optional('duration_seconds', positiveNumber(VIDEO_SECONDS_MAX), null),
    optional('approved', flag, false),
  ],
  children: [],
};

/** Everything that the catalog file knows about each kind. */
export const KINDS: Readonly<Record<ObjectKind, KindSpec>> = {
  global: GLOBAL,
  publisher: PUBLISHER,
  app: APP,
  placement: PLACEMENT,
  advertiser: ADVERTISER,
  campaign: CAMPAIGN,
  creative: CREATIVE,
};

/** Kinds that stand at the top of the file as sections. */
export const TOP_KINDS: readonly ObjectKind[] = ['publisher', 'advertiser'];

const PARENT_KINDS: ReadonlyMap<ObjectKind, ObjectKind> = new Map(
  Object.values(KINDS).flatMap((spec) => spec.children.map((child) => [child, spec.kind] as const)),
);

/** The kind whose objects hold objects of this kind; null at the top. */
export function parentKindOf(kind: ObjectKind): ObjectKind | null {
  return PARENT_KINDS.get(kind) ?? null;
}
