import fc from 'fast-check';
import { MINUTE_MS, SECOND_MS } from '@placard/service-kit/pure';
import { ADVERTISER_COUNT, CAMPAIGNS, type MarketLimits } from './market.js';
import { PASSAGES } from './network.js';
import type { World, WorldOptions } from './world.js';

/** Number of replicas in a history. */
const REPLICAS = 3;
const OFF_MS_MAX = 5 * SECOND_MS;

/** One step of a history. */
export interface Step {
  readonly text: string;
  readonly run: (world: World) => Promise<void>;
}

/** A history: the start of a world and its steps. */
export interface History {
  readonly options: WorldOptions;
  readonly steps: readonly Step[];
}

const replica = fc.nat(REPLICAS - 1);
const campaign = fc.nat(CAMPAIGNS - 1);
const passage = fc.oneof(
  { weight: 3, arbitrary: fc.constant('ok' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...PASSAGES) },
);
const offMs = fc.integer({ min: -OFF_MS_MAX, max: OFF_MS_MAX });
const total = fc.option(fc.nat(60));
const day = fc.option(fc.nat(40));
const funds = fc.oneof(fc.nat(40), fc.constant(1_000));

const options: fc.Arbitrary<WorldOptions> = fc.record({
  limits: fc.record<MarketLimits>({
    totals: fc.array(total, { minLength: CAMPAIGNS, maxLength: CAMPAIGNS }),
    days: fc.array(day, { minLength: CAMPAIGNS, maxLength: CAMPAIGNS }),
    funds: fc.array(funds, { minLength: ADVERTISER_COUNT, maxLength: ADVERTISER_COUNT }),
  }),
  offsMs: fc.array(offMs, { minLength: REPLICAS, maxLength: REPLICAS }),
  startMs: fc.constantFrom(0, 25_000, 85_000),
});

function step<Values>(
  name: string,
  values: fc.Arbitrary<Values>,
  run: (world: World, values: Values) => unknown,
): fc.Arbitrary<Step> {
  return values.map((given) => ({
    text: `${name} ${JSON.stringify(given)}`,
    run: async (world) => {
      await run(world, given);
      world.check();
    },
  }));
}

const request = step(
  'request',
  fc.record({ at: replica, campaign, count: fc.integer({ min: 1, max: 8 }), passage }),
  (world, given) => {
    const one = world.replicas[given.at]!;
    one.passages = [given.passage];
    return world.request(one, given.campaign, given.count);
  },
);

const tick = step('tick', fc.record({ at: replica, passage }), (world, { at, passage: next }) => {
  const one = world.replicas[at]!;
  one.passages = [next];
  return one.tick();
});

const pass = step(
  'pass',
  fc.record({
    ms: fc.oneof(
      fc.constantFrom(250, 600, 1_100, 3_000),
      fc.integer({ min: 5_000, max: 70_000 }),
      fc.constantFrom(MINUTE_MS, 3 * MINUTE_MS, 5 * MINUTE_MS),
    ),
    passages: fc.option(fc.array(passage, { minLength: REPLICAS, maxLength: REPLICAS })),
    isClosed: fc.boolean(),
  }),
  async (world, { ms, passages, isClosed }) => {
    world.advance(ms);
    if (isClosed) await world.closeDue();
    if (passages === null) return;
    for (const [at, one] of world.replicas.entries()) one.passages = passages.slice(at, at + 1);
    await Promise.all(world.replicas.map((one) => one.tick()));
  },
);

/** Shows lately sold ads. With `isAtLast` their impressions arrived in time and are processed only now. */
const show = step(
  'show',
  fc.record({
    skip: fc.nat(30),
    count: fc.integer({ min: 1, max: 5 }),
    isSuspicious: fc.constantFrom(false, false, true),
    isAtLast: fc.boolean(),
  }),
  (world, { skip, count, ...how }) => world.show(world.ads.toReversed().slice(skip, skip + count), how),
);

/** All replicas sell the same campaign while ads are shown and leases are closed. */
const rush = step(
  'rush',
  fc.record({ campaign, count: fc.integer({ min: 1, max: 6 }) }),
  async (world, given) => {
    const shown = world.ads.slice(-given.count);
    for (const one of world.replicas) one.passages = [];
    await Promise.all([
      ...world.replicas.map((one) => world.request(one, given.campaign, given.count)),
      ...shown.map((ad) => world.show([ad])),
      ...world.replicas.map((one) => one.tick()),
      world.release(),
      world.closeDue(),
      world.closeDue(),
    ]);
  },
);

/** Stops a replica during a request. Its clock stops too, or goes on. */
const standStill = step(
  'stand still',
  fc.record({
    at: replica,
    campaign,
    ms: fc.integer({ min: MINUTE_MS, max: 3 * MINUTE_MS }),
    doesClockStand: fc.boolean(),
  }),
  async (world, { at, campaign: wanted, ms, doesClockStand }) => {
    const one = world.replicas[at]!;
    one.letThrough();
    one.setPatient(true);
    one.passages = ['held'];
    const asked = world.request(one, wanted, 3);
    await Promise.race([asked, one.untilHeld()]);
    world.advance(ms);
    if (doesClockStand) one.offMs -= ms;
    for (const other of world.replicas) if (other !== one) await other.tick();
    await world.closeDue();
    one.passages = [];
    one.letThrough();
    await asked;
    one.setPatient(false);
  },
);

const setClock = step('set the clock', fc.record({ at: replica, offMs }), (world, given) => {
  world.replicas[given.at]!.offMs = given.offMs;
});

const crash = step('crash', replica, (world, at) => world.replace(at));

const stop = step(
  'stop',
  fc.record({ at: replica, passages: fc.array(passage, { maxLength: 3 }) }),
  async (world, { at, passages }) => {
    const one = world.replicas[at]!;
    one.passages = [...passages];
    await one.stop();
    world.replace(at);
  },
);

const limit = step('limit', fc.record({ campaign, total, day }), (world, given) =>
  world.follow(world.market.limit(given.campaign, given.total, given.day)),
);

const fund = step('fund', fc.record({ advertiser: fc.nat(ADVERTISER_COUNT - 1), funds }), (world, given) =>
  world.follow(world.market.fund(given.advertiser, given.funds)),
);

const deliver = step('deliver', fc.nat(5), (world, nth) => world.network.deliverLate(nth));
const release = step('release', fc.constant(null), (world) => world.release());
const close = step('close', fc.constant(null), (world) => world.closeDue());

const anyStep = fc.oneof(
  { weight: 12, arbitrary: request },
  { weight: 5, arbitrary: tick },
  { weight: 7, arbitrary: pass },
  { weight: 8, arbitrary: show },
  ...[rush, standStill, setClock, crash, stop, limit, fund, deliver, release, close].map((arbitrary) => ({
    weight: 2,
    arbitrary,
  })),
);

/** A list of steps. Lists are mostly long, and can shrink. */
const someSteps = fc.array(anyStep, { maxLength: 18, size: 'max' });

/** Histories of all kinds. */
export const histories: fc.Arbitrary<History> = fc
  .tuple(options, someSteps, someSteps, someSteps, someSteps)
  .map(([begin, ...steps]) => {
    const history = { options: begin, steps: steps.flat() };
    return { ...history, [fc.toStringMethod]: () => textOf(history) };
  });

function textOf({ options: { limits, offsMs, startMs }, steps }: History): string {
  return [JSON.stringify({ limits, offsMs, startMs }), ...steps.map(({ text }) => text)].join('\n  ');
}

/** Headroom for a number of ads, at one replica without faults. */
export interface Headroom {
  readonly ads: number;
  readonly limit: 'total' | 'day' | 'balance';
  /** Requests: the number of ads that are requested at once, and the time that passes then. */
  readonly requests: readonly { readonly count: number; readonly ms: number }[];
}

/** Headroom of all kinds. */
export const headrooms: fc.Arbitrary<Headroom> = fc.record({
  ads: fc.nat(40),
  limit: fc.constantFrom('total', 'day', 'balance'),
  requests: fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 9 }), ms: fc.constantFrom(0, 250, 1_000, 5_000, 40_000) }),
    { minLength: 1, maxLength: 12 },
  ),
});

/** The last ad is granted for the next minute while the campaign is skipped because it has no money. */
export const LAST_AD_OF_NEXT_MINUTE: Headroom = {
  ads: 10,
  limit: 'total',
  requests: [1_000, 5_000, 1_000, 5_000, 5_000, 40_000, 1_000, 0].map((ms) => ({ count: 1, ms })),
};
