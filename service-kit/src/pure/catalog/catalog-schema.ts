import { fixed, kept, optional, ownId, paid, parentId, required, type Field } from './catalog-field.js';
import {
  amount,
  cap,
  clickAddress,
  country,
  fileAddress,
  flag,
  instant,
  language,
  list,
  pattern,
  positive,
  reward,
  text,
  whole,
  word,
} from './catalog-shapes.js';
import type {
  AdvertiserId,
  AppId,
  AppKey,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
} from '../ids.js';

const CURRENCY_UNIT = 1_000_000_000n;
const MONEY_MAX = 1_000_000_000n * CURRENCY_UNIT;
const BID_MAX = 10_000n * CURRENCY_UNIT;

const slug = <Id extends string>() =>
  pattern<Id>(/^[a-z0-9_]{2,64}$/, 'made of 2 to 64 small letters, digits and _');
const campaignId = pattern<CampaignId>(/^cmp_[A-Za-z0-9_]{1,60}$/, 'cmp_ and 1 to 60 letters, digits and _');
const creativeId = pattern<CreativeId>(/^cr_[A-Za-z0-9_]{1,60}$/, 'cr_ and 1 to 60 letters, digits and _');
const appKey = pattern<AppKey>(/^app_[A-Za-z0-9]{24}$/, 'app_ and 24 letters and digits');
const packageName = pattern(
  /^(?=.{1,255}$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/,
  'an Android application id such as com.example.game',
);
const format = word('adFormat');
const category = text(64);
const requestTimeout = whole(100, 5_000);
const balance = amount('nanos', { isZeroAllowed: true, maxNanos: MONEY_MAX, decimalsMax: 9 });
const budget = amount('nanos', { isZeroAllowed: false, maxNanos: MONEY_MAX, decimalsMax: 9 });
const bid = amount('costNanos', { isZeroAllowed: false, maxNanos: BID_MAX, decimalsMax: 6 });
const share = amount('basisPoints', { isZeroAllowed: true, maxNanos: CURRENCY_UNIT, decimalsMax: 4 });

const name = kept('name', text(200), undefined, 'up to 200 characters');
const FORMAT_MEANING = '`banner`, `interstitial` or `rewarded`; cannot change';

/** A kind of object: its fields by their names in memory, in the order of the file. */
export interface KindSchema {
  /** Name of the list that holds it in the file; null for the global object, which is a mapping of its own. */
  readonly section: string | null;
  readonly fields: Readonly<Record<string, Field>>;
}

/**
 * Every kind of catalog object, parents before their children, with all fields. This is the only declaration: the
 * validation and documentation of the file, the types below, the wire and the cache follow from it. A field that
 * protos/placard/catalog/v1/catalog.proto lacks, or has in addition, is a compile error in `catalog-reader/wire.ts`. A
 * flag is `isApproved` in memory and `approved` on the wire.
 */
export const CATALOG_SCHEMA = {
  /** Settings of the whole installation. */
  global: {
    section: null,
    fields: {
      /** False: the global kill switch is on, and nothing is served. */
      isServingEnabled: optional('serving_enabled', flag, true, 'false stops all serving'),
    },
  },

  /** A seller of ad space. */
  publisher: {
    section: 'publishers',
    fields: {
      id: ownId('id', slug<PublisherId>(), '2 to 64 of `a-z 0-9 _`'),
      name,
      isApproved: optional('approved', flag, false, 'live traffic needs an approved publisher'),
      /** False: the kill switch of the publisher is on. */
      isServingEnabled: optional('serving_enabled', flag, true, "the publisher's kill switch"),
      /** The publisher's share of the price of an impression in basis points, 0..10000. */
      revenueShareBp: required(
        'revenue_share',
        share,
        "the publisher's share of the price of each impression: 0 to 1, at most 4 decimals",
      ),
    },
  },

  /** A mobile app of a publisher. */
  app: {
    section: 'apps',
    fields: {
      id: ownId('id', slug<AppId>(), "like a publisher's; used in targeting and reports"),
      publisherId: parentId('publisher', slug<PublisherId>()),
      /** The public key that clients send; unique among apps. */
      appKey: required(
        'app_key',
        appKey,
        '`app_` and 24 letters or digits, sent by the SDK; unique among apps',
      ),
      /** Android application id, compared exactly. */
      packageName: required(
        'package_name',
        packageName,
        'Android application id: letters, digits, `_` and `-` between dots, up to 255 characters; compared exactly',
      ),
      name,
      isApproved: optional('approved', flag, false, 'live traffic needs an approved app'),
      isBlocked: optional('blocked', flag, false, 'blocked by an admin'),
      /** False: the kill switch of the app is on. */
      isServingEnabled: optional('serving_enabled', flag, true, "the app's kill switch"),
      isFallbackEnabled: optional(
        'fallback_enabled',
        flag,
        true,
        'whether clients may fall back to another network',
      ),
      /** Content language of requests without one: a primary subtag in small letters. */
      language: optional(
        'language',
        language,
        'en',
        'language of requests without one, such as `en` or `pt-BR`; only its first part counts',
      ),
      /** Null: no category. Campaigns that target categories then skip the app. */
      category: optional(
        'category',
        category,
        null,
        'for campaigns that target categories, up to 64 characters',
      ),
      /** 100..5000. */
      requestTimeoutMs: optional('request_timeout_ms', requestTimeout, 1_000, '100 to 5000'),
      configTtlSeconds: optional(
        'config_ttl_seconds',
        whole(0, 2_592_000),
        300,
        'how long clients may keep the configuration, 0 to 2,592,000 (30 days)',
      ),
      /** Contract: docs/contract/explanations.md#kept-requests. */
      isExplained: optional(
        'explained',
        flag,
        false,
        'true: [explanations](contract/explanations.md#kept-requests) of all live requests are kept, not only of a sample',
      ),
    },
  },

  /** A place in an app that shows ads of one format. */
  placement: {
    section: 'placements',
    fields: {
      appId: parentId('app', slug<AppId>()),
      /** Unique within its app. */
      code: ownId('code', slug<PlacementCode>(), '2 to 64 of `a-z 0-9 _`, unique in its app'),
      format: fixed('format', format, FORMAT_MEANING),
      isPaused: optional('paused', flag, false, "paused by the app's team"),
      isEnabled: optional('enabled', flag, true, 'false: switched off by the publisher'),
      isDisabledByAdmin: optional('disabled_by_admin', flag, false, 'switched off by an admin'),
      fallbackProvider: optional(
        'fallback_provider',
        word('fallbackProvider'),
        'none',
        '`partner` or `none`',
      ),
      /** Null: the publisher has no ad unit at the partner network. */
      partnerAdUnitId: optional(
        'partner_ad_unit_id',
        text(255),
        null,
        'the unit at the partner network, up to 255 characters',
      ),
      /** 100..5000. */
      requestTimeoutMs: optional('request_timeout_ms', requestTimeout, 1_000, '100 to 5000'),
      /** Null: no cap. */
      frequencyCap: optional(
        'frequency_cap',
        cap,
        null,
        '`{ count, period }`: at most `count` ads per session and `session`, `hour` or `day`',
      ),
      /** At least 30. */
      bannerRefreshSeconds: optional('banner_refresh_seconds', whole(30, 86_400), 30, '30 to 86,400'),
      /** Null: accepted rewards are reported to nobody. Contract: docs/reward-callbacks.md#switch-them-on. */
      reward: kept(
        'reward',
        reward,
        null,
        '`{ item, amount, callback_url }`: [who gets accepted rewards](reward-callbacks.md); for `rewarded` only',
      ),
    },
  },

  /** A buyer of ad space. */
  advertiser: {
    section: 'advertisers',
    fields: {
      id: ownId('id', slug<AdvertiserId>(), "like a publisher's"),
      name,
      isApproved: optional(
        'approved',
        flag,
        false,
        'campaigns of an advertiser that is not approved are not served',
      ),
      balance: kept('balance', balance, '0.00', '[opening balance](#the-opening-balance)'),
      /** The sum of all deposits, in nano-units: the limit of the advertiser's spend in total. */
      fundedNanos: paid(balance),
    },
  },

  /**
   * An order of an advertiser for impressions. An empty list of targeting means any.
   * Contract: docs/contract/selection.md#selection-order.
   */
  campaign: {
    section: 'campaigns',
    fields: {
      id: ownId('id', campaignId, '`cmp_` and 1 to 60 letters, digits or `_`'),
      advertiserId: parentId('advertiser', slug<AdvertiserId>()),
      name,
      status: optional('status', word('campaignStatus'), 'active', '`active`, `paused` or `ended`'),
      /** Price of one impression in nano-units. The CPM bid in micro-units is the same number. */
      costNanos: required(
        'bid_cpm',
        bid,
        'price of 1,000 impressions: above 0, at most 10,000 and 6 decimals',
      ),
      /** Epoch ms, included. Null: no start. */
      startsAtMs: optional('starts_at', instant, null, 'start of the campaign; null: no limit'),
      /** Epoch ms, excluded. Null: no end. */
      endsAtMs: optional('ends_at', instant, null, 'end of the campaign, excluded; null: no limit'),
      /** Null: only the advertiser's balance limits the spend. */
      budgetTotalNanos: optional(
        'budget_total',
        budget,
        null,
        'limit of spend in total; null: only the balance limits',
      ),
      /** Per UTC day. Null: no daily limit and no pacing. */
      budgetDailyNanos: optional(
        'budget_daily',
        budget,
        null,
        'limit of spend per UTC day; null: only the balance limits',
      ),
      pacing: optional(
        'pacing',
        word('pacing'),
        'even',
        '`even` spreads the daily budget over the day, `asap` does not: [pacing.md](pacing.md)',
      ),
      /** ISO 3166-1 alpha-2 in capitals. */
      countries: optional(
        'countries',
        list(country),
        [],
        'ISO 3166-1 alpha-2, such as `US`, and `XK` for Kosovo',
      ),
      formats: optional('targeting.formats', list(format), [], 'ad formats'),
      /** Primary subtags in small letters. */
      languages: optional('targeting.languages', list(language), [], 'languages; `pt-BR` counts as `pt`'),
      appIds: optional('targeting.app_ids', list(slug<AppId>()), [], 'ids of apps'),
      appCategories: optional('targeting.app_categories', list(category), [], 'categories of apps'),
      /** Major versions. */
      androidVersions: optional(
        'targeting.android_versions',
        list(whole(1, 1_000)),
        [],
        'major versions, whole numbers',
      ),
      /** Null: no cap. */
      frequencyCap: optional('frequency_cap', cap, null, '`{ count, period }` as with placements'),
    },
  },

  /** The ad content of a campaign. */
  creative: {
    section: 'creatives',
    fields: {
      id: ownId('id', creativeId, '`cr_` and 1 to 60 letters, digits or `_`'),
      campaignId: parentId('campaign', campaignId),
      format: fixed('format', format, FORMAT_MEANING),
      type: required(
        'type',
        word('creativeType'),
        '`image` (PNG, JPEG, WebP, GIF) or `video` (MP4 with H.264)',
      ),
      url: required(
        'url',
        fileAddress,
        'where clients download the file: an `https://` [address](#addresses), or a [demo file](#demo-files)',
      ),
      clickUrl: required(
        'click_url',
        clickAddress,
        'landing page: an `https://`, `market://details?` or `intent:` [address](#addresses)',
      ),
      /** Pixels. Null: unknown. The same holds for `height`. */
      width: optional('width', whole(1, 20_000), null, 'pixels, 1 to 20,000'),
      height: optional('height', whole(1, 20_000), null, 'pixels, 1 to 20,000'),
      /** Length of a video; null for images. */
      durationSeconds: optional(
        'duration_seconds',
        positive(3_600),
        null,
        'length of a video, up to 3,600; not for images',
      ),
      isApproved: optional('approved', flag, false, 'only approved creatives are served'),
    },
  },
} as const satisfies Readonly<Record<string, KindSchema>>;
