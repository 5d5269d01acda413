import type { Random } from './random.js';

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

/**
 * `req_<id>`: one HTTP request, and for an ad request also its fill; at most 64 characters.
 * Contract: docs/contract/sdk-api.md#identifiers, docs/contract/requests.md#request-id.
 */
export type RequestId = Id<'RequestId'>;
/** `ad_<id>`: one ad, unique to each fill. */
export type AdId = Id<'AdId'>;
/** The id of a session inside its token. It never leaves the services. */
export type SessionId = Id<'SessionId'>;
/** The operator's id of an app, used in targeting and reports; not the app key. */
export type AppId = Id<'AppId'>;
/** `app_` and 24 alphanumerics: the public key that an SDK sends. */
export type AppKey = Id<'AppKey'>;
/** The operator's id of a publisher. */
export type PublisherId = Id<'PublisherId'>;
/** `^[a-z0-9_]{2,64}$`, unique within its app. */
export type PlacementCode = Id<'PlacementCode'>;
/** The operator's id of an advertiser. */
export type AdvertiserId = Id<'AdvertiserId'>;
/** `cmp_<id>`; `cmp_test` for test ads. */
export type CampaignId = Id<'CampaignId'>;
/** `cr_<id>`; `cr_test_<format>` for test ads. */
export type CreativeId = Id<'CreativeId'>;

/** The id of an account's owner. */
export type OwnerId = AdvertiserId | PublisherId;
/** The id of an account: its owner's id, or the kind of an account without an owner: `platform`, `deposits`, `payouts`. */
export type AccountId = OwnerId | 'platform' | 'deposits' | 'payouts';

/** The casts below check nothing. The caller guarantees the form of the text or has looked it up. */
export const asRequestId = (text: string): RequestId => text as RequestId;
export const asAdId = (text: string): AdId => text as AdId;
export const asSessionId = (text: string): SessionId => text as SessionId;
export const asAppId = (text: string): AppId => text as AppId;
export const asAppKey = (text: string): AppKey => text as AppKey;
export const asPublisherId = (text: string): PublisherId => text as PublisherId;
export const asPlacementCode = (text: string): PlacementCode => text as PlacementCode;
export const asAdvertiserId = (text: string): AdvertiserId => text as AdvertiserId;
export const asCampaignId = (text: string): CampaignId => text as CampaignId;
export const asCreativeId = (text: string): CreativeId => text as CreativeId;
export const asOwnerId = (text: string): OwnerId => text as OwnerId;
export const asAccountId = (text: string): AccountId => text as AccountId;

const REQUEST_ID = /^req_[0-9a-f]{32}$/;
const REQUEST_ID_PREFIX = 'req_';
const TIME_HEX_DIGITS = 12;
const ID_RANDOM_BYTES = 10;
const SESSION_RANDOM_BYTES = 16;

/**
 * 32 hex digits: 48 bits of time, then 80 unpredictable bits. Ids of the same time are neighbours in a database index.
 */
function timeOrderedHex(nowMs: number, random: Random): string {
  const time = nowMs.toString(16).padStart(TIME_HEX_DIGITS, '0');
  return time + Buffer.from(random.bytes(ID_RANDOM_BYTES)).toString('hex');
}

/** A fresh request id (36 characters). */
export function makeRequestId(nowMs: number, random: Random): RequestId {
  return asRequestId(`${REQUEST_ID_PREFIX}${timeOrderedHex(nowMs, random)}`);
}

/** The text as a request id, if it has the form that {@link makeRequestId} gives; otherwise null. */
export function readRequestId(text: string): RequestId | null {
  return REQUEST_ID.test(text) ? asRequestId(text) : null;
}

/** When an id of {@link readRequestId} was made: epoch milliseconds of the clock of the process that made it. */
export function requestIdMadeAtMs(id: RequestId): number {
  const from = REQUEST_ID_PREFIX.length;
  return Number.parseInt(id.slice(from, from + TIME_HEX_DIGITS), 16);
}

/** A fresh ad id (35 characters). */
export function makeAdId(nowMs: number, random: Random): AdId {
  return asAdId(`ad_${timeOrderedHex(nowMs, random)}`);
}

/** A fresh session id (32 hex digits, all unpredictable). */
export function makeSessionId(random: Random): SessionId {
  return asSessionId(Buffer.from(random.bytes(SESSION_RANDOM_BYTES)).toString('hex'));
}
