import type { Chance } from '../../chance.js';
import type { AppEntry } from '../../market/market.js';
import { NETWORKS, type Network } from './network.js';
import { pickWeighted, streamOf } from './streams.js';

/** A country and its phones. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly weight: number;
  readonly utcOffsetHours: number;
  /** Hours by which its evening is later than elsewhere. */
  readonly lateHours: number;
  readonly languages: readonly string[];
}

/** The countries of the phones, with the offset of winter. */
export const COUNTRIES: readonly Country[] = [
  country('US', 24, -6, 0, ['en-US', 'en-US', 'es-US']),
  country('DE', 14, 1, 0, ['de-DE', 'de', 'tr', 'en']),
  country('FR', 10, 1, 0, ['fr-FR', 'fr']),
  country('GB', 9, 0, 0, ['en-GB', 'en']),
  country('IN', 9, 5.5, 0, ['hi', 'en-IN']),
  country('BR', 8, -3, 1, ['pt-BR']),
  country('IT', 6, 1, 1, ['it-IT', 'it']),
  country('ES', 6, 1, 2, ['es-ES', 'ca']),
  country('JP', 5, 9, 0, ['ja-JP']),
  country('CA', 4, -5, 0, ['en-CA', 'fr-CA']),
  country('AT', 3, 1, 0, ['de-AT']),
  country('CH', 2, 1, 0, ['de-CH', 'fr-CH', 'it-CH']),
];

function country(
  code: string,
  weight: number,
  utcOffsetHours: number,
  lateHours: number,
  languages: readonly string[],
): Country {
  return { code, weight, utcOffsetHours, lateHours, languages };
}

/** Versions of Android, with their shares. */
const ANDROID_VERSIONS = [
  { version: '10', weight: 8 },
  { version: '11', weight: 13 },
  { version: '12', weight: 12 },
  { version: '13', weight: 17 },
  { version: '14', weight: 22 },
  { version: '15', weight: 20 },
  { version: '16', weight: 8 },
] as const;

const APP_VERSIONS = [
  { version: '3.2.0', weight: 60 },
  { version: '3.1.4', weight: 25 },
  { version: '3.0.0', weight: 10 },
  { version: '2.9.1', weight: 5 },
] as const;

const SCREENS = [
  { width: 1080, height: 2400, weight: 50 },
  { width: 1080, height: 1920, weight: 20 },
  { width: 720, height: 1600, weight: 20 },
  { width: 1440, height: 3120, weight: 8 },
  { width: 2000, height: 1200, weight: 2 },
] as const;

/**
 * What a phone does that others do not. `tapper`: taps on every ad. `looper`: its app asks for ads in a loop, until the fraud
 * rule refuses them. `restorer`: its app comes back from a backup with events that it has already sent. `pirate`: a copy of the
 * app with another package name. `developer`: gets test ads, which no report counts.
 */
export type Role = 'usual' | 'tapper' | 'looper' | 'restorer' | 'pirate' | 'developer';

const ROLES: readonly { readonly role: Role; readonly weight: number }[] = [
  { role: 'usual', weight: 930 },
  { role: 'tapper', weight: 15 },
  { role: 'looper', weight: 10 },
  { role: 'restorer', weight: 15 },
  { role: 'pirate', weight: 10 },
  { role: 'developer', weight: 20 },
];

/** A phone that does not change during a run. */
export interface Profile {
  readonly index: number;
  readonly role: Role;
  readonly app: AppEntry;
  readonly country: Country;
  /** A private IPv4 address in a network of its own, so that phones share no limit of a network. */
  readonly address: string;
  readonly language: string;
  readonly androidVersion: string;
  readonly appVersion: string;
  readonly screen: { readonly width: number; readonly height: number };
  readonly network: Network;
  /** Error of the phone's clock, in milliseconds; usually 0. */
  readonly clockErrorMs: number;
  /** Whether its clock is set back and forward beside its events. */
  readonly clockJumps: boolean;
  /** Mean number of times a day that its app is opened. */
  readonly visitsPerDay: number;
}

const CLOCK_IS_WRONG = 0.05;
const CLOCK_JUMPS = 0.1;
const CLOCK_ERROR_MS_MAX = 86_400_000;
/** Opened this often a day, by a rare, a usual and a heavy user. */
const USERS = [
  { visitsPerDay: 3, weight: 40 },
  { visitsPerDay: 8, weight: 45 },
  { visitsPerDay: 18, weight: 15 },
] as const;

/** The phone with an index from 0; the same for the same seed and apps, of which there must be one. */
export function makeProfile(seed: number, index: number, apps: readonly AppEntry[]): Profile {
  const chance = streamOf(seed, index, 'profile');
  const home = pickWeighted(COUNTRIES, chance);
  const { width, height } = pickWeighted(SCREENS, chance);
  return {
    index,
    role: pickWeighted(ROLES, chance).role,
    app: chance.pick(apps),
    country: home,
    address: `10.${(index >> 8) & 255}.${index & 255}.7`,
    language: chance.pick(home.languages),
    androidVersion: pickWeighted(ANDROID_VERSIONS, chance).version,
    appVersion: pickWeighted(APP_VERSIONS, chance).version,
    screen: { width, height },
    network: pickWeighted(NETWORKS, chance),
    clockErrorMs: clockError(chance),
    visitsPerDay: pickWeighted(USERS, chance).visitsPerDay,
    clockJumps: chance.isHit(CLOCK_JUMPS),
  };
}

function clockError(chance: Chance): number {
  const error = (2 * chance.next() - 1) * CLOCK_ERROR_MS_MAX;
  return chance.isHit(CLOCK_IS_WRONG) ? error : 0;
}
