import { HOUR_MS } from '@placard/service-kit/pure';
import type { Chance } from '../../chance.js';
import type { PlacementEntry } from '../../market/market.js';
import type { Profile } from './population.js';
import { between, pickWeighted } from './streams.js';

/** A screen with a banner. All times are milliseconds of the phone's time. */
export interface BannerStep {
  readonly kind: 'banner';
  readonly code: string;
  /** How long the screen is open. */
  readonly openMs: number;
  /** Whether its ads come into view. */
  readonly isSeen: boolean;
  /** Whether the user taps on the ads. */
  readonly taps: boolean;
}

/** A full-screen ad that is loaded, and shown after a while. */
export interface FullscreenStep {
  readonly kind: 'fullscreen';
  readonly code: string;
  /** From the load to the moment at which the ad is shown. */
  readonly playMs: number;
  /** How long the ad is on screen. */
  readonly watchMs: number;
  readonly taps: boolean;
  /** Whether a rewarded ad is seen to its end. */
  readonly isFinished: boolean;
  /** `drops`: the user leaves before the ad is shown. `breaks`: it cannot be drawn. */
  readonly fate: 'shows' | 'drops' | 'breaks';
}

/** The user looks at another app. */
export interface AwayStep {
  readonly kind: 'away';
  readonly awayMs: number;
}

/** The app asks for ads that nobody sees. */
export interface LoopStep {
  readonly kind: 'loop';
  readonly code: string;
  readonly format: PlacementEntry['format'];
  readonly count: number;
}

/** What happens in an app while it is used. */
export type Step = BannerStep | FullscreenStep | AwayStep | LoopStep;

/** One use of the app. Times are milliseconds of the phone's time. */
export interface Visit {
  readonly atMs: number;
  readonly steps: readonly Step[];
  /** Afterwards the app is in the background with its memory, or its process ends. */
  readonly stays: boolean;
  /** The process is killed this long after the visit began; null: it is not. */
  readonly killedAfterMs: number | null;
}

const SLOTS_PER_HOUR = 6;
const HOURS = 24;
/** How much phones are used in each hour of the day of their country. */
const HOUR_WEIGHTS = [
  ...[0.5, 0.3, 0.2, 0.15, 0.15, 0.25, 0.5, 0.8, 1.0, 1.0, 0.95, 1.0],
  ...[1.2, 1.1, 1.0, 1.0, 1.05, 1.2, 1.4, 1.6, 1.8, 1.8, 1.4, 0.9],
] as const;
const WEIGHT_SUM = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight, 0);
/** The hour of UTC at which a run begins: day in Europe, morning in America, evening in Asia. */
export const FIRST_HOUR = 12;

/** The share of a day's visits that falls into an hour, from 0 at {@link FIRST_HOUR} in UTC. */
export function shareOfHour({ country }: Pick<Profile, 'country'>, hour: number): number {
  const local = Math.floor(FIRST_HOUR + hour + country.utcOffsetHours - country.lateHours);
  return (HOUR_WEIGHTS[((local % HOURS) + HOURS) % HOURS] ?? 0) / WEIGHT_SUM;
}

/** The visits of a phone in the first `hours` hours, in their order. */
export function makeVisits(profile: Profile, hours: number, chance: Chance): readonly Visit[] {
  const slots = Array.from({ length: Math.ceil(hours * SLOTS_PER_HOUR) }, (_, slot) => slot);
  return slots.flatMap((slot) => {
    const share = shareOfHour(profile, Math.floor(slot / SLOTS_PER_HOUR)) / SLOTS_PER_HOUR;
    const atMs = ((slot + chance.next()) * HOUR_MS) / SLOTS_PER_HOUR;
    if (!chance.isHit(profile.visitsPerDay * share) || atMs >= hours * HOUR_MS) return [];
    return [makeVisit(profile, atMs, chance)];
  });
}

const STEPS = [2, 3, 4, 5] as const;
const KILLED = 0.06;
const STAYS = 0.4;
/** More than the fraud rule allows a session in a minute. Contract: docs/contract/fraud-rules.md#rules. */
const LOOP_COUNT = 40;

function makeVisit(profile: Profile, atMs: number, chance: Chance): Visit {
  const { role, app } = profile;
  const usual = Array.from({ length: chance.pick(STEPS) }, () => makeStep(profile, chance));
  const { code, format } = chance.pick(app.placements);
  const loop = { kind: 'loop', code, format, count: LOOP_COUNT } as const;
  const steps = role === 'looper' ? [loop] : usual;
  return {
    atMs,
    steps,
    stays: chance.isHit(STAYS),
    killedAfterMs: chance.isHit(KILLED) ? between(chance, 500, 150_000) : null,
  };
}

const AWAY = 0.12;
/** Click-through rates of usual users. */
const TAPS = { banner: 0.01, interstitial: 0.06, rewarded: 0.08 } as const;

function makeStep({ app, role }: Profile, chance: Chance): Step {
  if (chance.isHit(AWAY)) return { kind: 'away', awayMs: between(chance, 5_000, 600_000) };
  const placement = chance.pick(app.placements);
  const taps = role === 'tapper' || chance.isHit(TAPS[placement.format]);
  if (placement.format === 'banner') {
    const openMs = between(chance, 8_000, 110_000);
    return { kind: 'banner', code: placement.code, openMs, isSeen: chance.isHit(0.92), taps };
  }
  return fullscreenStep(placement, taps, chance);
}

const FATES = [
  { fate: 'shows', weight: 88 },
  { fate: 'drops', weight: 11 },
  { fate: 'breaks', weight: 1 },
] as const;

function fullscreenStep({ code, format }: PlacementEntry, taps: boolean, chance: Chance): FullscreenStep {
  const isVideo = format === 'rewarded';
  return {
    kind: 'fullscreen',
    code,
    playMs: between(chance, 5_000, 180_000),
    watchMs: isVideo ? between(chance, 8_000, 30_000) : between(chance, 2_000, 9_000),
    taps,
    isFinished: chance.isHit(0.85),
    fate: pickWeighted(FATES, chance).fate,
  };
}
