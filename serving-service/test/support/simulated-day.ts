import {
  asAdvertiserId,
  asCampaignId,
  asRequestId,
  MINUTE_MS,
  minuteOf,
  SECOND_MS,
  type AdFormat,
  type CampaignId,
  type Random,
} from '@placard/service-kit/pure';
import { makeTestClock, makeTestRandom, type TestClock } from '@placard/service-kit/testing';
import {
  RESERVE_CANDIDATES_MAX,
  toReserveItem,
  type CampaignMinute,
  type ReservedFill,
} from '../../src/domain/budget.js';
import { creativesIn, toIndexed, type IndexedCampaign } from '../../src/domain/indexed-campaign.js';
import { BudgetOutlook } from '../../src/usecase/budget-outlook.js';
import { makeCloseMinutes } from '../../src/usecase/close-minutes.js';
import { makeLearnShowRates } from '../../src/usecase/learn-show-rates.js';
import { arrivals, DAY_MINUTES, learnedShares, type DayShape } from './day-shapes.js';
import type { PacedStore } from './paced-memory-store.js';
import { aCampaign, aCatalog, aCreative, AD_TTL_MS, anAdvertiser } from './world.js';

/** 2026-05-01T00:00:00Z. */
export const MIDNIGHT = Date.UTC(2026, 4, 1);
/** Smaller daily budgets are not paced. */
const IMPRESSIONS_MIN = 120;
const FORMATS: readonly AdFormat[] = ['banner', 'interstitial', 'rewarded'];
const COUNTRIES = ['DE', 'FR', 'IT', 'ES'] as const;

/** What happens to some campaigns at a minute of the day. */
export interface DayEvent {
  readonly minute: number;
  /** Every so many campaigns, from the first. */
  readonly every: number;
  /** Multiplies the daily budget. */
  readonly budgetTimes?: number;
  /** False: paused; true: goes on. */
  readonly isServed?: boolean;
}

/** A day to simulate. */
export interface DayOptions {
  readonly seed: number;
  readonly shape: DayShape;
  /** What the learned curves were made of; null: nothing is learned. By default the shape itself. */
  readonly learned?: DayShape | null;
  readonly requests?: number;
  readonly campaigns?: number;
  /** Sum of all budgets as a share of what can be shown. */
  readonly pressure?: number;
  readonly showRate?: number;
  readonly replicas?: number;
  readonly events?: readonly DayEvent[];
  /** Campaigns that rest from the first minute on, until an event: every so many. */
  readonly restEvery?: number;
  /** False: every campaign is set to asap. */
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
  /** What was out when the budget was cut; it is billed whatever the budget. */
  floor: number;
  /** Most by which billed and open were beyond the budget. */
  over: number;
  plan: { minute: number; spent: number };
  readonly billedAt: number[];
  readonly filledAt: number[];
  readonly plannedAt: number[];
}

/** A day that is over. */
export interface SimulatedDay {
  readonly campaigns: readonly SimulatedCampaign[];
  readonly fills: number;
  /** Fills of a lower bid while a higher one that matched was not refused by the atomic step. */
  readonly outOfOrder: number;
}

interface World {
  readonly options: DayOptions;
  readonly random: Random;
  readonly clock: TestClock;
  readonly store: PacedStore;
  readonly replicas: readonly BudgetOutlook[];
  readonly campaigns: SimulatedCampaign[];
  /** Accepted by `campaign|minute`. */
  readonly accepted: Map<string, number>;
  readonly shownAt: Map<number, { readonly fill: ReservedFill; readonly campaign: SimulatedCampaign }[]>;
  fills: number;
  outOfOrder: number;
}

/** Simulates a day of requests at one-second resolution, and the time until the last ad is over. */
export async function simulateDay(store: PacedStore, options: DayOptions): Promise<SimulatedDay> {
  const random = makeTestRandom(options.seed);
  const clock = makeTestClock(MIDNIGHT);
  const replicas = Array.from({ length: options.replicas ?? 1 }, () => new BudgetOutlook());
  const campaigns = makeCampaigns(options, random);
  const world: World = {
    ...{ options, random, clock, store, replicas, campaigns },
    ...{ accepted: new Map(), shownAt: new Map(), fills: 0, outOfOrder: 0 },
  };
  learnTraffic(world);
  for (const { entry } of campaigns) for (const { pace } of replicas) pace.follow(entry, clock.now());
  const close = closer(world);
  const learners = replicas.map(({ pace }) => makeLearnShowRates({ paces: store, memory: pace }));
  const total = Array.from({ length: DAY_MINUTES }, (_, at) => options.shape(at)).reduce((a, b) => a + b, 0);
  for (let minute = 0; minute < DAY_MINUTES + 40; minute += 1) {
    clock.set(MIDNIGHT + minute * MINUTE_MS);
    await close();
    if (minute < DAY_MINUTES) {
      for (const event of options.events ?? []) if (event.minute === minute) apply(world, event);
      for (const campaign of campaigns) campaign.plannedAt[minute] = plannedAt(world, campaign, minute);
      for (const learn of learners) await learn();
    }
    const mean = minute < DAY_MINUTES ? ((options.requests ?? 30_000) * options.shape(minute)) / total : 0;
    await runMinute(world, minute, arrivals(mean, random));
  }
  return { campaigns, fills: world.fills, outOfOrder: world.outOfOrder };
}

async function runMinute(world: World, minute: number, requests: number): Promise<void> {
  const seconds = Array.from({ length: requests }, () => Math.floor(world.random.next() * 60)).sort(
    (a, b) => a - b,
  );
  let next = 0;
  for (let second = 0; second < 60; second += 1) {
    const atMs = MIDNIGHT + minute * MINUTE_MS + second * SECOND_MS;
    await showDue(world, atMs);
    for (; seconds[next] === second; next += 1) await ask(world, atMs);
  }
}

/** Impressions of this second: billed, told as a hint, and part of the accepted sums. */
async function showDue(world: World, atMs: number): Promise<void> {
  const due = world.shownAt.get(atMs);
  if (due === undefined) return;
  world.shownAt.delete(atMs);
  for (const { fill, campaign } of due) {
    const key = `${fill.campaignId}|${minuteOf(fill.filledAtMs)}`;
    world.accepted.set(key, (world.accepted.get(key) ?? 0) + campaign.cost);
    campaign.billed += campaign.cost;
    campaign.open -= campaign.cost;
    // Spend counts for the day of the request.
    const minute = Math.min(DAY_MINUTES - 1, Math.floor((atMs - MIDNIGHT) / MINUTE_MS));
    campaign.billedAt[minute] = (campaign.billedAt[minute] ?? 0) + campaign.cost;
    await world.store.markShown(fill, atMs);
  }
}

async function ask(world: World, atMs: number): Promise<void> {
  const { random, campaigns } = world;
  const format = FORMATS[Math.floor(random.next() ** 1.5 * FORMATS.length)] ?? 'banner';
  const country = COUNTRIES[Math.floor(random.next() ** 1.3 * COUNTRIES.length)] ?? 'DE';
  const outlook = world.replicas[Math.floor(random.next() * world.replicas.length)] as BudgetOutlook;
  const isShown = random.next() < (world.options.showRate ?? 0.8);
  const delay =
    random.next() < 0.85 ? 1 + Math.floor(random.next() * 30) : 31 + Math.floor(random.next() * 1_700);
  const left = campaigns.filter(
    ({ entry, country: countries }) =>
      entry.isServable && creativesIn(entry, format).length > 0 && countries.includes(country),
  );
  const winner = await reserveFirst(world, outlook, { left, atMs });
  if (winner === null) return;
  world.fills += 1;
  winner.open += winner.cost;
  winner.over = Math.max(winner.over, winner.billed + winner.open - Math.max(winner.budget, winner.floor));
  const minute = Math.floor((atMs - MIDNIGHT) / MINUTE_MS);
  winner.filledAt[minute] = (winner.filledAt[minute] ?? 0) + winner.cost;
  if (!isShown) return;
  const dueAt = atMs + delay * SECOND_MS;
  const { campaign, advertiser } = winner.entry;
  const fill = {
    requestId: asRequestId(`req_${world.fills}`),
    campaignId: campaign.id,
    advertiserId: advertiser.id,
    costNanos: campaign.costNanos,
    filledAtMs: atMs,
  };
  const due = world.shownAt.get(dueAt);
  if (due === undefined) world.shownAt.set(dueAt, [{ fill, campaign: winner }]);
  else due.push({ fill, campaign: winner });
}

/** Tries the campaigns by bid, as a request does: again when a plan was made for another anchor. */
async function reserveFirst(
  world: World,
  outlook: BudgetOutlook,
  { left, atMs }: { readonly left: SimulatedCampaign[]; readonly atMs: number },
): Promise<SimulatedCampaign | null> {
  const time = { filledAtMs: atMs, expiresAtMs: atMs + AD_TTL_MS };
  for (let round = 0; left.length > 0; round += 1) {
    if (round > 64) throw new Error('the anchors do not settle');
    const batch = left.slice(0, RESERVE_CANDIDATES_MAX);
    const items = batch.map(({ entry }) => toReserveItem(entry, atMs, outlook.paceOf(entry)));
    const findings = await world.store.reserve(items, time);
    for (const [at, finding] of findings.entries())
      outlook.note((batch[at] as SimulatedCampaign).entry, finding);
    const winner = findings.findIndex(({ verdict }) => verdict === 'reserved');
    const refused = findings.map(({ verdict }) => verdict === 'pace' || verdict === 'day');
    if (winner >= 0) {
      if (refused.slice(0, winner).includes(false)) world.outOfOrder += 1;
      return batch[winner] ?? null;
    }
    const kept = batch.filter((_, at) => refused[at] !== true);
    left.splice(0, batch.length, ...kept);
  }
  return null;
}

function closer(world: World): () => Promise<number> {
  const { store, clock, campaigns, accepted } = world;
  const byId = new Map<CampaignId, SimulatedCampaign>(campaigns.map((one) => [one.entry.campaign.id, one]));
  const acceptedOf = ({ campaignId, minute }: CampaignMinute): number =>
    accepted.get(`${campaignId}|${minute}`) ?? 0;
  return makeCloseMinutes({
    budgets: {
      minutesOver: (overAtMs, countMax) => store.minutesOver(overAtMs, countMax),
      async closeMinute(minute, nanos) {
        const back = await store.closeMinute(minute, nanos);
        const campaign = byId.get(minute.campaignId);
        if (campaign !== undefined) campaign.open -= Number(back);
        return back;
      },
    },
    spend: { acceptedSums: (minutes) => Promise.resolve(minutes.map((one) => BigInt(acceptedOf(one)))) },
    outlook: { forget: () => undefined },
    clock,
  });
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
    for (const { pace } of world.replicas) pace.follow(campaign.entry, world.clock.now());
  }
}

/** What the learned curve wants billed at the beginning of a minute, from the last beginning of the plan on. */
function plannedAt(world: World, { entry, budget, plan }: SimulatedCampaign, minute: number): number {
  const { curve, ahead } = (world.replicas[0] as BudgetOutlook).paceOf(entry).forecast;
  const start = curve(plan.minute * 60);
  const share = Math.min(1, (ahead * (curve(minute * 60) - start)) / (1 - start));
  return plan.spent + (budget - plan.spent) * share;
}

function learnTraffic({ options, random, replicas }: World): void {
  const shape = options.learned === undefined ? options.shape : options.learned;
  if (shape === null) return;
  const groups = FORMATS.map((format) => ({
    ...{ category: 'games', format, requestsPerDay: 10_000, isProven: true },
    shares: learnedShares(shape, 0.12, random),
  }));
  for (const { pace } of replicas) pace.setTraffic(groups);
}

function makeCampaigns(options: DayOptions, random: Random): SimulatedCampaign[] {
  const count = options.campaigns ?? 12;
  const supply = (options.requests ?? 30_000) * (options.showRate ?? 0.8);
  const share = (options.pressure ?? 0.4) / count;
  const made = Array.from({ length: count }, (_, at): SimulatedCampaign => {
    // One that reaches little needs little, so that what is not delivered is the plan's fault.
    const formats = FORMATS.filter((_format, place) => place === at % 3 || random.next() < 0.6);
    const country = COUNTRIES.filter((_country, place) => place === at % 4 || random.next() < 0.7);
    const reach = (formats.length / FORMATS.length) * (country.length / COUNTRIES.length);
    const cost = 500_000 + 50_000 * Math.floor(random.next() * 100);
    const impressions = Math.round(supply * share * (0.5 + random.next()) * Math.min(1, reach * 2));
    const budget = Math.max(IMPRESSIONS_MIN, impressions) * cost;
    const entry = entryOf(at, { formats, cost, budget, isPaced: options.isPaced ?? true });
    return {
      ...{ entry, cost, country, budget, billed: 0, open: 0, floor: 0, over: 0 },
      ...{ plan: { minute: 0, spent: 0 }, billedAt: [], filledAt: [], plannedAt: [] },
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
    ...{ id, advertiserId, formats, pacing: isPaced ? 'even' : 'asap' },
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
