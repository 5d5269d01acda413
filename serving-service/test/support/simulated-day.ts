import {
  asAdvertiserId,
  asCampaignId,
  MINUTE_MS,
  minuteOf,
  SECOND_MS,
  type AdFormat,
  type CampaignId,
  type Random,
} from '@placard/service-kit/pure';
import { makeTestClock, makeTestRandom, type TestClock } from '@placard/service-kit/testing';
import { creativesIn, toIndexed, type IndexedCampaign } from '../../src/selection/domain/indexed-campaign.js';
import { toLeaseWant } from '../../src/budgets/domain/lease-want.js';
import { PaceMemory } from '../../src/pacing/usecase/pace-memory.js';
import { arrivals, DAY_MINUTES, learnedShares, type DayShape } from './day-shapes.js';
import { PacedMemoryStore, type PacedFill } from './paced-memory-store.js';
import { aCampaign, aCatalog, aCreative, AD_TTL_MS, anAdvertiser } from './world.js';

/** 2026-05-01T00:00:00Z. */
export const MIDNIGHT = Date.UTC(2026, 4, 1);
/** Smaller daily budgets are not paced. */
const IMPRESSIONS_MIN = 120;
const FORMATS: readonly AdFormat[] = ['banner', 'interstitial', 'rewarded'];
const COUNTRIES = ['DE', 'FR', 'IT', 'ES'] as const;

/** A change of some campaigns at a minute of the day. */
export interface DayEvent {
  readonly minute: number;
  /** The change concerns every n-th campaign, from the first on. */
  readonly every: number;
  /** Multiplies the daily budget. */
  readonly budgetTimes?: number;
  /** False: paused. True: resumed. */
  readonly isServed?: boolean;
}

/** A day to simulate. */
export interface DayOptions {
  readonly seed: number;
  readonly shape: DayShape;
  /** The shape from which the curves are learned. Null: nothing is learned. Default: the shape of the day. */
  readonly learned?: DayShape | null;
  readonly requests?: number;
  readonly campaigns?: number;
  /** Sum of all budgets as a share of the possible impressions. */
  readonly pressure?: number;
  readonly showRate?: number;
  readonly replicas?: number;
  readonly events?: readonly DayEvent[];
  /** Every n-th campaign is paused from the first minute on, until an event. */
  readonly restEvery?: number;
  /** False: every campaign is asap. */
  readonly isPaced?: boolean;
}

/** One campaign of the day. Money in nano-units as doubles. */
export interface SimulatedCampaign {
  entry: IndexedCampaign;
  readonly cost: number;
  readonly country: readonly string[];
  budget: number;
  billed: number;
  open: number;
  /** Open money at the time of a budget cut. It is billed whatever the budget. */
  floor: number;
  /** The largest excess of billed and open money over the budget. */
  over: number;
  plan: { minute: number; spent: number };
  readonly billedAt: number[];
  readonly filledAt: number[];
  readonly plannedAt: number[];
}

/** A finished day. */
export interface SimulatedDay {
  readonly campaigns: readonly SimulatedCampaign[];
  readonly fills: number;
}

interface World {
  readonly options: DayOptions;
  readonly random: Random;
  readonly clock: TestClock;
  readonly store: PacedMemoryStore;
  readonly replicas: readonly PaceMemory[];
  readonly campaigns: SimulatedCampaign[];
  /** Accepted by `campaign|minute`. */
  readonly accepted: Map<string, number>;
  readonly shownAt: Map<number, { readonly fill: PacedFill; readonly campaign: SimulatedCampaign }[]>;
  fills: number;
}

/** Simulates a day of requests at one-second resolution, and the time until the last ad is over. */
export function simulateDay(options: DayOptions): SimulatedDay {
  const store = new PacedMemoryStore();
  const random = makeTestRandom(options.seed);
  const clock = makeTestClock(MIDNIGHT);
  const replicas = Array.from({ length: options.replicas ?? 1 }, () => new PaceMemory());
  const campaigns = makeCampaigns(options, random);
  const world: World = {
    options,
    random,
    clock,
    store,
    replicas,
    campaigns,
    accepted: new Map(),
    shownAt: new Map(),
    fills: 0,
  };
  learnTraffic(world);
  for (const { entry } of campaigns) for (const memory of replicas) memory.follow(entry, clock.now());
  const total = Array.from({ length: DAY_MINUTES }, (_, at) => options.shape(at)).reduce((a, b) => a + b, 0);
  for (let minute = 0; minute < DAY_MINUTES + 40; minute += 1) {
    clock.set(MIDNIGHT + minute * MINUTE_MS);
    closeDue(world);
    if (minute < DAY_MINUTES) {
      for (const event of options.events ?? []) if (event.minute === minute) apply(world, event);
      for (const campaign of campaigns) campaign.plannedAt[minute] = plannedAt(world, campaign, minute);
      learnShowRates(world);
    }
    const mean = minute < DAY_MINUTES ? ((options.requests ?? 30_000) * options.shape(minute)) / total : 0;
    runMinute(world, minute, arrivals(mean, random));
  }
  return { campaigns, fills: world.fills };
}

function runMinute(world: World, minute: number, requests: number): void {
  const seconds = Array.from({ length: requests }, () => Math.floor(world.random.next() * 60)).sort(
    (a, b) => a - b,
  );
  let next = 0;
  for (let second = 0; second < 60; second += 1) {
    const atMs = MIDNIGHT + minute * MINUTE_MS + second * SECOND_MS;
    showDue(world, atMs);
    for (; seconds[next] === second; next += 1) ask(world, atMs);
  }
}

/** Impressions of this second: they are billed, sent as a hint, and added to the accepted sums. */
function showDue(world: World, atMs: number): void {
  const due = world.shownAt.get(atMs);
  if (due === undefined) return;
  world.shownAt.delete(atMs);
  for (const { fill, campaign } of due) {
    const key = `${fill.campaignId}|${minuteOf(fill.filledAtMs)}`;
    world.accepted.set(key, (world.accepted.get(key) ?? 0) + campaign.cost);
    campaign.billed += campaign.cost;
    campaign.open -= campaign.cost;
    // Spend belongs to the day of the request.
    const minute = Math.min(DAY_MINUTES - 1, Math.floor((atMs - MIDNIGHT) / MINUTE_MS));
    campaign.billedAt[minute] = (campaign.billedAt[minute] ?? 0) + campaign.cost;
    world.store.markShown(fill, atMs);
  }
}

function ask(world: World, atMs: number): void {
  const { random, campaigns } = world;
  const format = FORMATS[Math.floor(random.next() ** 1.5 * FORMATS.length)] ?? 'banner';
  const country = COUNTRIES[Math.floor(random.next() ** 1.3 * COUNTRIES.length)] ?? 'DE';
  const memory = world.replicas[Math.floor(random.next() * world.replicas.length)] as PaceMemory;
  const isShown = random.next() < (world.options.showRate ?? 0.8);
  const delay =
    random.next() < 0.85 ? 1 + Math.floor(random.next() * 30) : 31 + Math.floor(random.next() * 1_700);
  const left = campaigns.filter(
    ({ entry, country: countries }) =>
      entry.isServable && creativesIn(entry, format).length > 0 && countries.includes(country),
  );
  const winner = reserveFirst(world, memory, { left, atMs });
  if (winner === null) return;
  world.fills += 1;
  winner.open += winner.cost;
  winner.over = Math.max(winner.over, winner.billed + winner.open - Math.max(winner.budget, winner.floor));
  const minute = Math.floor((atMs - MIDNIGHT) / MINUTE_MS);
  winner.filledAt[minute] = (winner.filledAt[minute] ?? 0) + winner.cost;
  if (!isShown) return;
  const dueAt = atMs + delay * SECOND_MS;
  const { id, costNanos } = winner.entry.campaign;
  const fill = { campaignId: id, costNanos, filledAtMs: atMs };
  const due = world.shownAt.get(dueAt);
  if (due === undefined) world.shownAt.set(dueAt, [{ fill, campaign: winner }]);
  else due.push({ fill, campaign: winner });
}

/** Tries the campaigns by bid, as a request does. Tries again when a plan was made for another anchor. */
function reserveFirst(
  { store }: World,
  memory: PaceMemory,
  { left, atMs }: { readonly left: readonly SimulatedCampaign[]; readonly atMs: number },
): SimulatedCampaign | null {
  for (const one of left) {
    const { id, costNanos } = one.entry.campaign;
    const sum = { minute: minuteOf(atMs), grantedMaxNanos: costNanos };
    const reserve = () => {
      const facts = { nowMs: atMs, adTtlMs: AD_TTL_MS, knowledge: memory.of(one.entry) };
      return store.reserve(toLeaseWant(one.entry, sum, facts), atMs);
    };
    let finding = reserve();
    if (finding.verdict === 'anchor' && finding.anchor !== null) {
      memory.setAnchor(id, finding.anchor);
      finding = reserve();
    }
    if (finding.verdict === 'granted') return one;
    if (finding.verdict === 'anchor') throw new Error('the anchors do not settle');
  }
  return null;
}

/** Closes the lease of a minute one minute after its last ad has expired. */
function closeDue({ store, clock, campaigns, accepted }: World): void {
  const byId = new Map<CampaignId, SimulatedCampaign>(campaigns.map((one) => [one.entry.campaign.id, one]));
  const acceptedOf = (id: CampaignId, minute: number): number => accepted.get(`${id}|${minute}`) ?? 0;
  store.closeDue(clock.now() - MINUTE_MS, acceptedOf, (id, back) => {
    const campaign = byId.get(id);
    if (campaign !== undefined) campaign.open -= back;
  });
}

function learnShowRates({ store, campaigns, replicas }: World): void {
  for (const { entry } of campaigns) {
    const { id } = entry.campaign;
    for (const memory of replicas) memory.setClosed(id, store.closedFills(id));
  }
}

function apply(world: World, event: DayEvent): void {
  for (const [at, campaign] of world.campaigns.entries()) {
    if (at % event.every !== 0) continue;
    if (event.budgetTimes !== undefined) {
      const impressions = Math.round((campaign.budget * event.budgetTimes) / campaign.cost);
      campaign.floor = Math.max(campaign.floor, campaign.billed + campaign.open);
      campaign.budget = impressions * campaign.cost;
    }
    campaign.plan = { minute: event.minute, spent: Math.min(campaign.billed, campaign.budget) };
    campaign.entry = {
      ...campaign.entry,
      isServable: event.isServed ?? campaign.entry.isServable,
      campaign: { ...campaign.entry.campaign, budgetDailyNanos: BigInt(campaign.budget) },
    };
    for (const memory of world.replicas) memory.follow(campaign.entry, world.clock.now());
  }
}

/**
 * The money that the learned curve plans to be billed at the beginning of a minute, from the last start of the plan on.
 */
function plannedAt(world: World, { entry, budget, plan }: SimulatedCampaign, minute: number): number {
  const { curve, ahead } = (world.replicas[0] as PaceMemory).of(entry).forecast;
  const start = curve(plan.minute * 60);
  const share = Math.min(1, (ahead * (curve(minute * 60) - start)) / (1 - start));
  return plan.spent + (budget - plan.spent) * share;
}

function learnTraffic({ options, random, replicas }: World): void {
  const shape = options.learned === undefined ? options.shape : options.learned;
  if (shape === null) return;
  const groups = FORMATS.map((format) => ({
    category: 'games',
    format,
    requestsPerDay: 10_000,
    isProven: true,
    shares: learnedShares(shape, 0.12, random),
  }));
  for (const memory of replicas) memory.setTraffic(groups);
}

function makeCampaigns(options: DayOptions, random: Random): SimulatedCampaign[] {
  const count = options.campaigns ?? 12;
  const supply = (options.requests ?? 30_000) * (options.showRate ?? 0.8);
  const share = (options.pressure ?? 0.4) / count;
  const made = Array.from({ length: count }, (_, at): SimulatedCampaign => {
    // A campaign with little reach needs little, so the plan alone explains missing delivery.
    const formats = FORMATS.filter((_format, place) => place === at % 3 || random.next() < 0.6);
    const country = COUNTRIES.filter((_country, place) => place === at % 4 || random.next() < 0.7);
    const reach = (formats.length / FORMATS.length) * (country.length / COUNTRIES.length);
    const cost = 500_000 + 50_000 * Math.floor(random.next() * 100);
    const impressions = Math.round(supply * share * (0.5 + random.next()) * Math.min(1, reach * 2));
    const budget = Math.max(IMPRESSIONS_MIN, impressions) * cost;
    const entry = entryOf(at, { formats, cost, budget, isPaced: options.isPaced ?? true });
    return {
      entry,
      cost,
      country,
      budget,
      billed: 0,
      open: 0,
      floor: 0,
      over: 0,
      plan: { minute: 0, spent: 0 },
      billedAt: [],
      filledAt: [],
      plannedAt: [],
    };
  });
  made.sort((a, b) => b.cost - a.cost);
  for (const [at, campaign] of made.entries()) {
    const isResting = options.restEvery !== undefined && at % options.restEvery === 0;
    campaign.entry = { ...campaign.entry, isServable: !isResting };
  }
  return made;
}

function entryOf(
  at: number,
  given: {
    readonly formats: AdFormat[];
    readonly cost: number;
    readonly budget: number;
    readonly isPaced: boolean;
  },
): IndexedCampaign {
  const { formats, cost, budget, isPaced } = given;
  const id = asCampaignId(`cmp_${at}`);
  const advertiserId = asAdvertiserId(`adv_${at}`);
  const campaign = aCampaign({
    id,
    advertiserId,
    formats,
    pacing: isPaced ? 'even' : 'asap',
    costNanos: BigInt(cost),
    budgetDailyNanos: BigInt(budget),
  });
  const catalog = aCatalog({
    advertisers: [anAdvertiser({ id: advertiserId, fundedNanos: 10n ** 18n })],
    campaigns: [campaign],
    creatives: formats.map((format) => aCreative({ campaignId: id, format })),
  });
  return toIndexed(catalog, id) as IndexedCampaign;
}
