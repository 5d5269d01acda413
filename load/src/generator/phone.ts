import type { Chance } from '../chance.js';
import type { AppEntry, PlacementEntry } from '../market/market.js';
import { COUNTRIES, type Format } from '../market/vocabulary.js';

/** One phone during one session. */
export interface Phone {
  readonly app: AppEntry;
  /** A public IPv4 address, nearly always in a network of its own. */
  readonly address: string;
  /** ISO 3166-1 alpha-2, for targets that take the country and not the address. */
  readonly country: string;
  readonly language: string;
  readonly androidVersion: string;
  readonly screen: readonly [width: number, height: number];
  /** Id of the session when the tool makes the token; otherwise empty. */
  sessionId: string;
  /** Session token; empty before the session has begun. */
  token: string;
  sessionExpiresAtMs: number;
  requests: number;
  impressions: number;
  clicks: number;
}

/** An ad of a phone. */
export interface Fill {
  readonly phone: Phone;
  readonly placement: PlacementEntry;
  readonly requestId: string;
  readonly token: string;
  /** When it came, epoch ms. */
  readonly filledAtMs: number;
  /** When its impression was accepted, epoch ms; 0 before. */
  shownAtMs: number;
}

/** After this many requests a phone begins a new session. It is far below every fraud rule. */
export const REQUESTS_PER_SESSION_MAX = 25;
/** Most clicks of one session. With {@link IMPRESSIONS_PER_CLICK_MIN} it is far below every fraud rule. */
export const CLICKS_PER_SESSION_MAX = 5;
/** Fewest impressions for each click. See {@link CLICKS_PER_SESSION_MAX}. */
export const IMPRESSIONS_PER_CLICK_MIN = 3;

const LANGUAGES = ['en-US', 'en', 'es', 'de-DE', 'fr', 'pt_BR', 'ja', 'ko', 'hi'] as const;
const ANDROID_VERSIONS = ['8.1.0', '9', '10', '11', '12', '13', '14', '15', '16'] as const;
const SCREENS = [
  [1080, 1920],
  [1080, 2400],
  [720, 1280],
  [1440, 3200],
  [1920, 1080],
] as const;

/** A phone that has not begun its session. */
export function makePhone(apps: readonly AppEntry[], chance: Chance): Phone {
  return {
    app: chance.pick(apps),
    address: addressOf(chance),
    country: chance.pick(COUNTRIES),
    language: chance.pick(LANGUAGES),
    androidVersion: chance.pick(ANDROID_VERSIONS),
    screen: chance.pick(SCREENS),
    sessionId: '',
    token: '',
    sessionExpiresAtMs: 0,
    requests: 0,
    impressions: 0,
    clicks: 0,
  };
}

/** A public address, outside the private and reserved ranges. */
function addressOf(chance: Chance): string {
  const first = 1 + chance.below(223);
  const isOwn = [10, 100, 127, 169, 172, 192, 198, 203].includes(first);
  return `${isOwn ? 8 : first}.${chance.below(256)}.${chance.below(256)}.${1 + chance.below(254)}`;
}

/** A random placement of the phone's app. */
export function pickPlacement(phone: Phone, chance: Chance): PlacementEntry {
  return chance.pick(phone.app.placements);
}

/** Whether a click on the ad breaks no fraud rule. */
export function isClickable({ phone, shownAtMs }: Fill, nowMs: number, delayMs: number): boolean {
  return (
    shownAtMs + delayMs <= nowMs &&
    phone.clicks < CLICKS_PER_SESSION_MAX &&
    (phone.clicks + 1) * IMPRESSIONS_PER_CLICK_MIN <= phone.impressions
  );
}

/** Whether a reward may be reported for it. */
export function isRewarded(format: Format): boolean {
  return format === 'rewarded';
}
