import type { Pool } from '@placard/service-kit/postgres';
import {
  dayOf,
  MINUTE_MS,
  minuteOf,
  type CatalogDelta,
  type ImpressionClaims,
} from '@placard/service-kit/pure';
import { makeTestClock, makeTestRandom, type TestClock } from '@placard/service-kit/testing';
import { LEASE_GRACE_MS, type LeaseKey } from '../../events-service/src/budgets/domain/lease.js';
import type { EventStore } from '../../events-service/src/events/store/events.js';
import { openEventStore } from '../../events-service/src/events/store/events.pg.js';
import type { LeaseStore } from '../../events-service/src/budgets/store/leases.js';
import { openLeaseStore } from '../../events-service/src/budgets/store/leases.pg.js';
import { openPartitionStore } from '../../events-service/src/store/partitions.pg.js';
import { openVerificationStore } from '../../events-service/src/verification/store/verification.pg.js';
import { makeCloseLeases } from '../../events-service/src/budgets/usecase/close-leases.js';
import { makeExchangeLeases } from '../../events-service/src/budgets/usecase/exchange-leases.js';
import { makeJudgeGroup, type PendingEvent } from '../../events-service/src/events/usecase/judge-group.js';
import { BudgetModel } from './budget-model.js';
import { Market, type MarketLimits } from './market.js';
import { Network } from './network.js';
import { Replica } from './replica.js';

/** Life of an ad. It is short, so that ads expire in many histories. */
export const AD_TTL_MS = 3 * MINUTE_MS;
/** Start of a world: a minute and a half before midnight. */
const START_MS = Date.UTC(2026, 4, 1, 23, 58, 30);
/** Margin for clocks that are ahead. */
const MARGIN_MS = 10_000;

/** The stores of events-service. A planted fault wraps them. */
export interface Stores {
  readonly leases: LeaseStore;
  readonly events: EventStore;
}

/** The start of a world. */
export interface WorldOptions {
  readonly limits: MarketLimits;
  /** Shifts of the replicas' clocks, ms. Each value is one replica. */
  readonly offsMs: readonly number[];
  /** Start time, ms after a minute and a half before midnight. */
  readonly startMs: number;
}

/** Options for showing ads. */
export interface Showing {
  readonly isSuspicious?: boolean;
  /** Whether the impressions arrived at the last moment of their ads and are processed only now. */
  readonly isAtLast?: boolean;
}

/** The answer to an impression. */
export type ImpressionAnswer = 'accepted' | 'duplicate' | 'expired_token' | 'suspicious';

/** Replicas, the network, events-service on Postgres, and the model of the expected results. */
export class World {
  readonly model = new BudgetModel();
  readonly market: Market;
  readonly replicas: Replica[];
  /** Sold ads in their order. */
  readonly ads: ImpressionClaims[] = [];
  readonly network: Network;
  readonly #pool: Pool;
  readonly #stores: Stores;
  readonly #clock: TestClock;
  readonly #random = makeTestRandom(11);
  readonly #suspicious = new Set<string>();
  readonly #unreleased: LeaseKey[] = [];
  readonly #judge: ReturnType<typeof makeJudgeGroup>;
  readonly #close: () => Promise<void>;
  #runs = 0;

  constructor(pool: Pool, stores: Stores, { limits, offsMs, startMs }: WorldOptions) {
    this.#pool = pool;
    this.#stores = stores;
    this.#clock = makeTestClock(START_MS + startMs);
    this.market = new Market(limits);
    this.network = new Network(makeExchangeLeases(stores.leases, this.#clock));
    this.#judge = makeJudgeGroup({
      store: stores.events,
      fraud: { judge: (events) => Promise.resolve(events.map(({ claims }) => this.#ruleOn(claims))) },
      clock: { now: () => 0 },
      onJudged: () => undefined,
      onWaiting: () => undefined,
    });
    this.#close = makeCloseLeases({ leases: stores.leases, clock: this.#clock, onClosed: () => undefined });
    this.replicas = offsMs.map((offMs) => this.#openReplica(offMs));
  }

  /** Requests `count` ads from a replica at once; returns the number of fills. */
  async request(replica: Replica, campaign: number, count: number): Promise<number> {
    const asked = Array.from({ length: count }, async () => this.#note(await replica.request(campaign)));
    return (await Promise.all(asked)).filter((isFilled) => isFilled).length;
  }

  /** Shows ads. Either all of them or none pass the fraud rules. */
  async show(ads: readonly ImpressionClaims[], how: Showing = {}): Promise<readonly ImpressionAnswer[]> {
    const nowMs = this.#clock.now();
    const distinct = [...new Set(ads)];
    if (how.isSuspicious === true) for (const { requestId } of distinct) this.#suspicious.add(requestId);
    const outcomes = await this.#judge(distinct.map((claims) => toPending(claims, nowMs, how)));
    return outcomes.map((outcome, at) => {
      if (outcome instanceof Error) throw new Error('no verdict', { cause: outcome });
      const answer = (outcome === 'accepted' ? outcome : outcome.reason) as ImpressionAnswer;
      this.#takeAnswer(distinct[at]!, answer, nowMs);
      return answer;
    });
  }

  /** Returns the money of suspicious impressions, as events-service does in the background. */
  async release(): Promise<void> {
    await this.#stores.leases.releaseSuspicious(this.#unreleased);
    this.#unreleased.length = 0;
  }

  closeDue(): Promise<void> {
    return this.#close();
  }

  /** Advances all clocks. */
  advance(ms: number): void {
    this.#clock.advance(ms);
  }

  follow(delta: CatalogDelta): void {
    for (const replica of this.replicas) replica.follow(delta);
  }

  /** Kills a replica and starts another one in its place. */
  replace(at: number): void {
    this.replicas[at] = this.#openReplica(this.replicas[at]?.offMs ?? 0);
  }

  /** Fails when accepted and open ads exceed a limit. */
  check(): void {
    const overspent = this.model.overspent(this.#clock.now());
    if (overspent.length > 0) throw new Error(`overspent: ${overspent.join('; ')}`);
  }

  /** Lets all ads expire and all leases be closed, and compares the books with the model. */
  async end(): Promise<void> {
    while (await this.network.deliverLate(0));
    await this.release();
    for (const replica of this.replicas) replica.letThrough();
    this.advance(MINUTE_MS + AD_TTL_MS + LEASE_GRACE_MS + MARGIN_MS);
    await this.show(this.ads.slice(0, this.ads.length / 2), { isAtLast: true });
    await this.closeDue();
    const answers = await this.show(this.ads, { isAtLast: true });
    if (answers.includes('accepted')) throw new Error('an impression is accepted after its lease is closed');
    await this.closeDue();
    this.check();
    await this.#compareBooks();
  }

  /** Throws when the books differ from the model. */
  async #compareBooks(): Promise<void> {
    const faults = await faultsOf(this.#pool);
    const open = await this.#texts(`SELECT advertiser_id || ': ' || open_nanos AS text FROM budget.advertiser
      WHERE open_nanos <> 0`);
    const closed = await this
      .#texts(`SELECT campaign_id || ' ' || day - date '1970-01-01' || ': ' || closed_nanos AS text
      FROM budget.campaign_day WHERE closed_nanos <> 0`);
    const rows = await this.#texts(`SELECT request_id || ': ' || verdict AS text FROM events.event`);
    faults.push(...open.map((text) => `still open: ${text}`));
    faults.push(...differences('closed sum', closed, this.model.accepted()));
    faults.push(...differences('event row', rows, this.model.judged()));
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  async #texts(sql: string): Promise<string[]> {
    return (await this.#pool.query<{ text: string }>(sql)).rows.map(({ text }) => text);
  }

  #openReplica(offMs: number): Replica {
    this.#runs += 1;
    const { market, network } = this;
    const parts = { market, network, clock: this.#clock, random: this.#random, adTtlMs: AD_TTL_MS, offMs };
    return new Replica({ ...parts, run: `run-${this.#runs}` });
  }

  #note(claims: ImpressionClaims | null): boolean {
    if (claims === null) return false;
    const { requestId, advertiserId, campaignId, costNanos, expiresAtMs, filledAtMs, leaseRun } = claims;
    const limits = this.network.limitsOf(campaignId, minuteOf(filledAtMs), leaseRun);
    const day = dayOf(filledAtMs);
    this.model.sell({ requestId, advertiserId, campaignId, day, costNanos, expiresAtMs, limits });
    this.ads.push(claims);
    return true;
  }

  #ruleOn({ requestId }: ImpressionClaims): { readonly passes: boolean; readonly rule: string } {
    const passes = !this.#suspicious.has(requestId);
    return { passes, rule: passes ? '' : 'session_impressions_per_hour' };
  }

  #takeAnswer(claims: ImpressionClaims, answer: ImpressionAnswer, nowMs: number): void {
    const { requestId, campaignId, filledAtMs, leaseRun, expiresAtMs } = claims;
    if (answer === 'expired_token' && nowMs < expiresAtMs)
      throw new Error(`${requestId} is refused ${expiresAtMs - nowMs} ms before it expires`);
    if (answer === 'accepted') this.model.judge(requestId, 'accepted');
    if (answer !== 'suspicious' || this.model.isJudged(requestId)) return;
    this.model.judge(requestId, 'suspicious');
    this.#unreleased.push({ campaignId, minute: minuteOf(filledAtMs), run: leaseRun });
  }
}

function toPending(claims: ImpressionClaims, nowMs: number, { isAtLast = false }: Showing): PendingEvent {
  const arrivedAtMs = isAtLast ? Math.min(nowMs, claims.expiresAtMs - 1) : nowMs;
  const { requestId } = claims;
  return {
    event: { type: 'impression', requestId, claims, completion: null, arrivedAtMs },
    deadlineAtMs: Infinity,
    traceparent: null,
  };
}

/** Tables that a history fills. */
const TABLES = [
  ...['budget.advertiser', 'budget.campaign', 'budget.campaign_day', 'budget.lease', 'budget.replica'],
  ...['events.event', 'events.accepted_day'],
];

/** Empties the books and opens the stores on them. */
export async function openEmptyStores(pool: Pool): Promise<Stores> {
  for (const table of TABLES) await pool.query(`DELETE FROM ${table}`);
  return { leases: openLeaseStore(pool), events: openEventStore(pool, openPartitionStore(pool)) };
}

/** Faults that the verification of the ledger finds, from the sums and from the rows. */
async function faultsOf(pool: Pool): Promise<string[]> {
  const verification = openVerificationStore(pool);
  const faults = (await verification.verify(null)).flatMap(({ name, ok, detail }) =>
    ok ? [] : [`${name}: ${detail}`],
  );
  for (let next: string | null = null, isFirst = true; isFirst || next !== null; isFirst = false) {
    const piece = await verification.verifyRows(next);
    for (const check of piece.checks) faults.push(...check.faults.map((fault) => `${check.name}: ${fault}`));
    next = piece.next;
  }
  return faults;
}

function differences(what: string, found: readonly string[], expected: readonly string[]): string[] {
  const [have, want] = [new Set(found), new Set(expected)];
  return [
    ...found.filter((text) => !want.has(text)).map((text) => `${what} ${text} is not in the model`),
    ...expected.filter((text) => !have.has(text)).map((text) => `${what} ${text} is only in the model`),
  ];
}
