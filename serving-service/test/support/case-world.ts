import { z } from 'zod';
import {
  asAdvertiserId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  FIELDS,
  parseAmount,
  type Campaign,
  type CatalogReader,
  type Creative,
} from '@placard/service-kit/pure';
import { aCampaign, aCatalog, aCreative, anAdvertiser, anApp, aPlacement, aPublisher } from './world.js';

const format = z.enum(['banner', 'interstitial', 'rewarded']);
const cap = z.strictObject({ count: z.int(), period: z.enum(['session', 'hour', 'day']) }).nullable();
const amount = z.union([z.string(), z.number()]).transform((value, context) => {
  const nanos = parseAmount(String(value));
  if (nanos !== null) return nanos;
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});
const instant = z.iso.datetime().transform((text) => Date.parse(text));

/** Each list inside `targeting`: its name in the file, and in memory. */
const TARGETING = FIELDS.campaign.flatMap(([key, { name }]) =>
  name.startsWith('targeting.') ? [[name.slice('targeting.'.length), key] as const] : [],
);

const creative = z.strictObject({
  id: z.string(),
  format: format.default('banner'),
  type: z.enum(['image', 'video']).default('image'),
  url: z.string().optional(),
  width: z.int().nullable().default(null),
  height: z.int().nullable().default(null),
  duration_seconds: z.number().nullable().default(null),
  approved: z.boolean().default(true),
});

const campaign = z.strictObject({
  id: z.string(),
  advertiser: z.string().default('adv_north'),
  status: z.enum(['active', 'paused', 'ended']).default('active'),
  bid_cpm: amount.default(1_000_000_000n),
  starts_at: instant.nullable().default(null),
  ends_at: instant.nullable().default(null),
  countries: z.array(z.string()).default([]),
  targeting: z.partialRecord(z.enum(TARGETING.map(([name]) => name)), z.array(z.json())).default({}),
  frequency_cap: cap.default(null),
  creatives: z.array(creative).optional(),
});

/** The catalog of a case. Defaults are described in `test/cases/README.md`. */
export const caseCatalog = z.strictObject({
  global: z.strictObject({ serving_enabled: z.boolean() }).default({ serving_enabled: true }),
  publisher: z
    .strictObject({ approved: z.boolean().default(true), serving_enabled: z.boolean().default(true) })
    .prefault({}),
  app: z
    .strictObject({
      approved: z.boolean().default(true),
      blocked: z.boolean().default(false),
      serving_enabled: z.boolean().default(true),
      language: z.string().default('en'),
      category: z.string().nullable().default('games'),
      package_name: z.string().default('com.sunrise.puzzle'),
    })
    .prefault({}),
  placement: z
    .strictObject({
      format: format.default('banner'),
      paused: z.boolean().default(false),
      enabled: z.boolean().default(true),
      disabled_by_admin: z.boolean().default(false),
      fallback_provider: z.enum(['partner', 'none']).default('partner'),
      frequency_cap: cap.default(null),
    })
    .prefault({}),
  advertisers: z.record(z.string(), z.strictObject({ approved: z.boolean().default(true) })).default({}),
  campaigns: z.array(campaign).default([]),
});

type CaseCatalog = z.output<typeof caseCatalog>;
type CaseCampaign = z.output<typeof campaign>;

/** The objects of a case. */
export function toCatalog(given: CaseCatalog): CatalogReader {
  const { app, placement, publisher } = given;
  const advertiserIds = new Set(['adv_north', ...given.campaigns.map((one) => one.advertiser)]);
  return aCatalog({
    global: { isServingEnabled: given.global.serving_enabled },
    publishers: [aPublisher({ isApproved: publisher.approved, isServingEnabled: publisher.serving_enabled })],
    apps: [
      anApp({
        isApproved: app.approved,
        isBlocked: app.blocked,
        isServingEnabled: app.serving_enabled,
        language: app.language,
        category: app.category,
        packageName: app.package_name,
      }),
    ],
    placements: [
      aPlacement({
        code: asPlacementCode('home'),
        format: placement.format,
        isPaused: placement.paused,
        isEnabled: placement.enabled,
        isDisabledByAdmin: placement.disabled_by_admin,
        fallbackProvider: placement.fallback_provider,
        frequencyCap: placement.frequency_cap,
      }),
    ],
    advertisers: [...advertiserIds].map((id) =>
      anAdvertiser({
        id: asAdvertiserId(id),
        fundedNanos: 10n ** 18n,
        isApproved: given.advertisers[id]?.approved ?? true,
      }),
    ),
    campaigns: given.campaigns.map(toCampaign),
    creatives: given.campaigns.flatMap((one) => toCreatives(one, placement.format)),
  });
}

function toCampaign(one: CaseCampaign): Campaign {
  return aCampaign({
    id: asCampaignId(one.id),
    advertiserId: asAdvertiserId(one.advertiser),
    status: one.status,
    costNanos: one.bid_cpm / 1_000n,
    startsAtMs: one.starts_at,
    endsAtMs: one.ends_at,
    countries: one.countries,
    ...targetingOf(one),
    frequencyCap: one.frequency_cap,
  });
}

function targetingOf({ targeting }: CaseCampaign): Partial<Campaign> {
  return Object.fromEntries(TARGETING.map(([name, key]) => [key, targeting[name] ?? []]));
}

function toCreatives(one: CaseCampaign, placementFormat: Creative['format']): Creative[] {
  const campaignId = asCampaignId(one.id);
  if (one.creatives === undefined) {
    return [aCreative({ campaignId, format: placementFormat, width: null, height: null })];
  }
  return one.creatives.map((given) =>
    aCreative({
      id: asCreativeId(given.id),
      campaignId,
      format: given.format,
      type: given.type,
      ...(given.url === undefined ? {} : { url: given.url }),
      width: given.width,
      height: given.height,
      durationSeconds: given.duration_seconds,
      isApproved: given.approved,
    }),
  );
}
