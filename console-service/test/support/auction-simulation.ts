import { randomIndex, type Random } from '@placard/service-kit/pure';
import { makeTestRandom } from '@placard/service-kit/testing';
import type { AuctionDay } from '../../src/forecast/domain/forecast.js';

const COUNTRIES = ['DE', 'FR', 'US', 'BR', 'IN'] as const;
const FORMATS = ['banner', 'interstitial', 'rewarded'] as const;
/** Requests of a mean day. */
const REQUESTS_PER_DAY = 6_000;
const RIVALS = 14;
const SHOW_RATE = 0.8;
/** Saturday and Sunday have more traffic. */
const WEEKDAYS = [1, 0.95, 0.95, 1, 1.05, 1.25, 1.2];
/** Two peaks, by hour. */
const HOURS = Array.from(
  { length: 24 },
  (_, hour) => 1 + Math.exp(-((hour - 8) ** 2) / 8) + 2 * Math.exp(-((hour - 20) ** 2) / 12),
);

/** A campaign of the simulation. */
export interface Bidder {
  readonly costNanos: bigint;
  /** Impressions of a day, spread over the day as its traffic is. */
  readonly perDayMax: number;
  /** Empty: any. */
  readonly countries: readonly string[];
  readonly formats: readonly string[];
}

interface Running {
  readonly bidder: Bidder;
  shown: number;
}

interface Request {
  readonly country: string;
  readonly format: string;
  /** The share of the day's traffic before it. */
  readonly passed: number;
}

/** A market of rivals with seeded traffic: each day has its own level, and each rival its bid, budget and targeting. */
export class Market {
  readonly rivals: readonly Bidder[];
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    const random = makeTestRandom(seed);
    this.rivals = Array.from({ length: RIVALS }, () => aBidder(random, 900));
  }

  /** A campaign to plan. */
  plan(number: number): Bidder {
    return aBidder(makeTestRandom(this.#seed * 1_000 + number), 600);
  }

  /** What the requests of a day were worth that match each of the plans, without the plans. */
  historiesOf(day: number, plans: readonly Bidder[]): readonly AuctionDay[] {
    const days = plans.map((planned) => ({
      planned,
      unsold: 0,
      impressions: 0,
      prices: new Map<bigint, number>(),
    }));
    this.#run(day, this.rivals, (request, winner, isShown) => {
      for (const one of days) {
        if (!matches(one.planned, request)) continue;
        if (winner === null) one.unsold += 1;
        else one.prices.set(winner.costNanos, (one.prices.get(winner.costNanos) ?? 0) + 1);
        if (isShown) one.impressions += 1;
      }
    });
    return days.map(({ unsold, impressions, prices }) => ({
      day,
      unsold,
      sold: [...prices].map(([priceNanos, fills]) => ({ priceNanos, fills })),
      impressions,
    }));
  }

  /** The impressions of the plan on a day on which it runs. */
  shownOf(day: number, planned: Bidder): number {
    let shown = 0;
    this.#run(day, [...this.rivals, planned], (_request, winner, isShown) => {
      if (winner === planned && isShown) shown += 1;
    });
    return shown;
  }

  #run(
    day: number,
    bidders: readonly Bidder[],
    onRequest: (request: Request, winner: Bidder | null, isShown: boolean) => void,
  ): void {
    const random = makeTestRandom(this.#seed * 100_000 + day);
    const level = (WEEKDAYS[day % 7] ?? 1) * (0.9 + 0.2 * random.next());
    const running = bidders.map((bidder): Running => ({ bidder, shown: 0 }));
    const total = HOURS.reduce((sum, weight) => sum + weight, 0);
    let before = 0;
    for (const weight of HOURS) {
      const count = Math.round((REQUESTS_PER_DAY * level * weight) / total);
      for (let n = 0; n < count; n += 1) {
        const country = COUNTRIES[randomIndex(random, COUNTRIES.length)] ?? 'DE';
        const format = FORMATS[randomIndex(random, FORMATS.length)] ?? 'banner';
        const request = { country, format, passed: (before + (weight * n) / count) / total };
        const winner = winnerOf(running, request, random);
        const isShown = winner !== null && random.next() < SHOW_RATE;
        if (isShown) winner.shown += 1;
        onRequest(request, winner?.bidder ?? null, isShown);
      }
      before += weight;
    }
  }
}

function aBidder(random: Random, perDayMax: number): Bidder {
  const some = <Item>(items: readonly Item[]): Item[] => items.filter(() => random.next() < 0.5);
  return {
    costNanos: BigInt(500 + randomIndex(random, 40) * 100) * 1_000n,
    perDayMax: 60 + randomIndex(random, perDayMax),
    countries: random.next() < 0.5 ? some(COUNTRIES) : [],
    formats: some(FORMATS),
  };
}

/** The highest bid that matches and is not ahead of its plan; at random among the same bids. */
function winnerOf(running: readonly Running[], request: Request, random: Random): Running | null {
  let best: Running | null = null;
  let ties = 0;
  for (const one of running) {
    const { bidder, shown } = one;
    if (!matches(bidder, request)) continue;
    if (shown >= bidder.perDayMax * request.passed) continue;
    if (best === null || bidder.costNanos > best.bidder.costNanos) {
      best = one;
      ties = 1;
    } else if (bidder.costNanos === best.bidder.costNanos) {
      ties += 1;
      if (random.next() < 1 / ties) best = one;
    }
  }
  return best;
}

function matches({ countries, formats }: Bidder, { country, format }: Request): boolean {
  return (
    (countries.length === 0 || countries.includes(country)) &&
    (formats.length === 0 || formats.includes(format))
  );
}
