import { makeImpressionTokens, makeSessionTokens, parseKeyRing } from '@placard/service-kit/tokens';
import {
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  asSessionId,
  makeRequestId,
  makeSessionId,
  splitRevenue,
  systemRandom,
} from '@placard/service-kit/pure';
import type { Chance } from '../chance.js';
import { costOf, type CampaignEntry } from '../market/campaigns.js';
import type { Market, PlacementEntry } from '../market/market.js';
import type { Api } from './api.js';
import { Leases, type LeasedCampaign } from './leases.js';
import type { Fill, Phone } from './phone.js';

/** Supply of sessions and ads outside the measurement. */
export interface Supply {
  /** Gives the phone a session. */
  readonly openSession: (phone: Phone) => Promise<void>;
  /** Makes an ad for the phone without a measured call; null: impossible. */
  readonly makeFill: ((phone: Phone, placement: PlacementEntry) => Promise<Fill>) | null;
  /** Most ads that are made before the load begins. Sealing them is fast; real calls are slow. */
  readonly preparedMax: number;
}

const SEALED_MAX = 20_000;
const CALLED_MAX = 500;

/** Key rings in the form of the services' settings. */
export interface Keys {
  readonly session: string;
  readonly impression: string;
}

const SESSION_MS = 3_600_000;
const BASIS_POINTS = 10_000;

/**
 * Supplies sessions and ads with tokens that are sealed here, with the keys of the product. `eventsAddress`: address for the
 * leases of these ads; null: no impressions are sent.
 */
export function sealedSupply(
  keys: Keys,
  parts: {
    readonly market: Market;
    readonly chance: Chance;
    readonly adMs: number;
    readonly eventsAddress: string | null;
  },
): Supply {
  const { market, chance, adMs, eventsAddress } = parts;
  const sessions = makeSessionTokens(parseKeyRing(keys.session));
  const impressions = makeImpressionTokens(parseKeyRing(keys.impression));
  const terms = termsOf(market);
  const leases =
    eventsAddress === null ? null : new Leases(eventsAddress, terms.campaigns.map(toLeased), adMs);
  return {
    preparedMax: SEALED_MAX,
    openSession(phone) {
      beginSession(phone);
      phone.token = sessions.seal({
        sessionId: asSessionId(phone.sessionId),
        appId: asAppId(phone.app.id),
        packageName: phone.app.package_name,
        isTest: false,
        issuedAtMs: phone.sessionExpiresAtMs - SESSION_MS,
        expiresAtMs: phone.sessionExpiresAtMs,
      });
      return Promise.resolve();
    },
    async makeFill(phone, placement) {
      const nowMs = Date.now();
      const requestId = makeRequestId(nowMs, systemRandom);
      const { publisherId, shareBp } = terms.publisherOf(phone.app.id);
      const { campaign, advertiserId } = chance.pick(terms.campaigns);
      const costNanos = costOf(campaign);
      await leases?.holdAt(nowMs);
      const token = impressions.seal({
        requestId,
        sessionId: asSessionId(phone.sessionId),
        sessionExpiresAtMs: phone.sessionExpiresAtMs,
        appId: asAppId(phone.app.id),
        publisherId: asPublisherId(publisherId),
        placement: asPlacementCode(placement.code),
        format: placement.format,
        country: phone.country,
        campaignId: asCampaignId(campaign.id),
        creativeId: asCreativeId(chance.pick(campaign.creatives).id),
        advertiserId: asAdvertiserId(advertiserId),
        leaseRun: leases?.run ?? '',
        traceparent: null,
        costNanos,
        publisherNanos: splitRevenue(costNanos, shareBp).publisherNanos,
        bannerRefreshSeconds: placement.banner_refresh_seconds ?? 0,
        isTest: false,
        filledAtMs: nowMs,
        expiresAtMs: nowMs + adMs,
      });
      return { phone, placement, requestId, token, filledAtMs: nowMs, shownAtMs: 0 };
    },
  };
}

function toLeased({
  campaign,
  advertiserId,
}: {
  readonly campaign: CampaignEntry;
  readonly advertiserId: string;
}): LeasedCampaign {
  return { campaignId: campaign.id, advertiserId, costNanos: costOf(campaign) };
}

/** Supplies sessions and ads without tokens, for fraud-service, which receives only their content. */
export function tokenlessSupply(): Supply {
  return {
    preparedMax: SEALED_MAX,
    openSession: (phone) => {
      beginSession(phone);
      phone.token = 'none';
      return Promise.resolve();
    },
    makeFill: (phone, placement) =>
      Promise.resolve({
        phone,
        placement,
        requestId: makeRequestId(Date.now(), systemRandom),
        token: '',
        filledAtMs: Date.now(),
        shownAtMs: 0,
      }),
  };
}

/** Supplies sessions, and ads if `serving` is given, by real calls. Its functions reject when a call fails. */
export function calledSupply(session: Api, serving: Api | null): Supply {
  return {
    preparedMax: CALLED_MAX,
    async openSession(phone) {
      const { code, token } = await session.initialize(phone);
      if (code !== 'started') throw new Error(`no session could be had for ${phone.app.id}: ${code}`);
      phone.token = token;
    },
    makeFill:
      serving === null
        ? null
        : async (phone, placement) => {
            const { code, fill } = await serving.request(phone, placement);
            if (fill === null) throw new Error(`no ad could be had for ${phone.app.id}: ${code}`);
            return { phone, placement, ...fill, filledAtMs: Date.now(), shownAtMs: 0 };
          },
  };
}

function beginSession(phone: Phone): void {
  phone.sessionId = makeSessionId(systemRandom);
  phone.sessionExpiresAtMs = Date.now() + SESSION_MS;
}

function termsOf(market: Market) {
  const publishers = new Map(
    market.publishers.flatMap((publisher) => {
      const terms = {
        publisherId: publisher.id,
        shareBp: Math.round(publisher.revenue_share * BASIS_POINTS),
      };
      return publisher.apps.map(({ id }) => [id, terms] as const);
    }),
  );
  return {
    campaigns: market.advertisers.flatMap(({ id, campaigns }) =>
      campaigns
        .filter(({ creatives = [] }: Partial<CampaignEntry>) => creatives.length > 0)
        .map((campaign) => ({ campaign, advertiserId: id })),
    ),
    publisherOf(appId: string) {
      const terms = publishers.get(appId);
      if (terms === undefined) throw new Error(`no publisher has ${appId}`);
      return terms;
    },
  };
}
