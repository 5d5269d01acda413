import { appError } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import {
  HOUR_MS,
  MINUTE_MS,
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  asSessionId,
  dayOf,
  dayToIso,
  makeRequestId,
  minuteOf,
  splitRevenue,
  type ImpressionClaims,
} from '@placard/service-kit/pure';
import { makeTestClock, makeTestRandom, type TestClock } from '@placard/service-kit/testing';
import { openTestDatabase } from '@placard/service-kit/testing/stores';
import { fileURLToPath } from 'node:url';
import type { EventToJudge } from '../../src/events/clients/fraud.js';
import type { FillOutcome } from '../../src/events/clients/serving.js';
import type { EventVerdict, ReportedEvent } from '../../src/events/domain/event.js';
import type { Judgement, Rejection } from '../../src/events/domain/judge.js';
import { openCountStore } from '../../src/reports/store/counts.pg.js';
import { openEventStore } from '../../src/events/store/events.pg.js';
import { openLedgerStore } from '../../src/ledger/store/ledger.pg.js';
import { openPartitionStore } from '../../src/store/partitions.pg.js';
import { openReportStore } from '../../src/reports/store/report.pg.js';
import { openSettlementStore } from '../../src/settlement/store/settlement.pg.js';
import { openLeaseStore } from '../../src/budgets/store/leases.pg.js';
import type { AccountSum } from '../../src/verification/domain/verification.js';
import { openMonthStore } from '../../src/months/store/months.pg.js';
import { openStatementStore } from '../../src/ledger/store/statement.pg.js';
import { openVerificationStore } from '../../src/verification/store/verification.pg.js';
import { makeGroups } from '../../src/events/usecase/groups.js';
import { makeJudgeGroup, type PendingEvent } from '../../src/events/usecase/judge-group.js';
import {
  makeRecordEvent,
  type EventReport,
  type RecordEvent,
} from '../../src/events/usecase/record-event.js';
import { makeSettleWaiting } from '../../src/settlement/usecase/settle-waiting.js';

/** The migrations of this service. */
export const MIGRATIONS = {
  schema: 'events',
  dir: fileURLToPath(new URL('../../migrations', import.meta.url)),
};

/** Defaults of the validity of an ad and of the click window after it. */
export const AD_TTL_MS = 30 * MINUTE_MS;
export const WINDOW_MS = HOUR_MS;

/** A stand-in for fraud-service. */
export class FraudStandIn {
  isDown = false;
  /** Rule by request id; a request without one passes. */
  readonly rules = new Map<string, string>();
  readonly calls: (readonly EventToJudge[])[] = [];

  judge(events: readonly EventToJudge[]): Promise<readonly Judgement[]> {
    if (this.isDown) return Promise.reject(appError('unavailable', 'fraud-service cannot be reached.'));
    this.calls.push(events);
    return Promise.resolve(
      events.map(({ claims }) => {
        const rule = this.rules.get(claims.requestId) ?? '';
        return { passes: rule === '', rule };
      }),
    );
  }
}

/** One instance of the service's event path on a database. */
export interface Instance {
  readonly record: RecordEvent;
  readonly fraud: FraudStandIn;
  readonly outcomes: FillOutcome[];
  readonly rejections: { readonly event: ReportedEvent; readonly rejection: Rejection }[];
}

/** Stores, clock and claims for the tests of one file. */
export interface Bed {
  readonly pool: Pool;
  readonly url: string;
  readonly clock: TestClock;
  /** Claims of a fresh fill at the clock's time. */
  fill(overrides?: Partial<ImpressionClaims>): ImpressionClaims;
  /** Makes the leases that pay for the fills so far. An instance calls it before each event. */
  grantAll(): Promise<void>;
  /** Another process of the service. */
  instance(): Instance;
  /** Stores a fallback like the release before: as a waiting row without a country. */
  storeFallbackRow(requestId: string): Promise<void>;
  /** Settles the whole backlog. */
  settle(): Promise<void>;
  drop(): Promise<void>;
}

/** A token of the tests is its claims as JSON text. */
export function tokenOf(claims: ImpressionClaims): string {
  return JSON.stringify(claims, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value.toString()}n` : value,
  );
}

function openToken(token: string): ImpressionClaims | null {
  try {
    const revive = (_: string, value: unknown): unknown =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
    return JSON.parse(token, revive) as ImpressionClaims;
  } catch {
    return null;
  }
}

/** Opens a bed on an empty database. Its clock stands at the machine's time. */
export async function openBed(): Promise<Bed> {
  const database = await openTestDatabase({ migrations: [MIGRATIONS] });
  const clock = makeTestClock(Date.now());
  const random = makeTestRandom(7);
  const { pool } = database;
  const fills: ImpressionClaims[] = [];
  let granting = Promise.resolve();
  const grantAll = (): Promise<void> => {
    granting = granting.then(async () => {
      for (const claims of fills.splice(0)) await grantLease(pool, claims);
    });
    return granting;
  };
  return {
    pool,
    url: database.url,
    clock,
    fill: (overrides = {}) => {
      const claims = makeClaims(clock.now(), makeRequestId(clock.now(), random), overrides);
      fills.push(claims);
      return claims;
    },
    instance: () => openInstance(pool, clock, grantAll),
    grantAll,
    storeFallbackRow: (requestId) => storeFallbackRow(pool, requestId, clock.now()),
    settle: makeSettleWaiting({
      store: openSettlementStore(pool, () => clock.now()),
      rowsMax: 100,
      groupsMax: 1_000,
      onSettled: () => undefined,
      onStuck: (key, reason) => {
        throw new Error(`${key.requestId} is stuck: ${reason}`);
      },
      isStopping: () => false,
    }),
    drop: () => database.drop(),
  };
}

async function storeFallbackRow(pool: Pool, requestId: string, atMs: number): Promise<void> {
  await pool.query(`SELECT events.ensure_partition($1::date)`, [dayToIso(dayOf(atMs))]);
  await pool.query(
    `INSERT INTO events.event (day, request_id, type, verdict, is_test, arrived_at, session_id, publisher_id, app_id,
       placement, format, cost_nanos, publisher_nanos, fallback_reason)
     VALUES ($1, $2, 'fallback', 'accepted', false, to_timestamp($3::float8 / 1000), 'ses_1', 'pub_sunrise',
       'app_sunrise_puzzle', 'home_banner', 'banner', 0, 0, 'timeout')`,
    [dayToIso(dayOf(atMs)), requestId, atMs],
  );
}

function makeClaims(
  filledAtMs: number,
  requestId: ImpressionClaims['requestId'],
  overrides: Partial<ImpressionClaims>,
): ImpressionClaims {
  const costNanos = overrides.costNanos ?? 2_500_000n;
  return {
    requestId,
    sessionId: asSessionId('ses_1'),
    sessionExpiresAtMs: filledAtMs + HOUR_MS,
    appId: asAppId('app_sunrise_puzzle'),
    publisherId: asPublisherId('pub_sunrise'),
    placement: asPlacementCode('home_banner'),
    format: 'banner',
    country: 'DE',
    leaseRun: 'run-of-tests',
    traceparent: null,
    campaignId: asCampaignId('cmp_spring'),
    creativeId: asCreativeId('cr_spring_banner'),
    advertiserId: asAdvertiserId('adv_northwind'),
    costNanos,
    publisherNanos: splitRevenue(costNanos, 7_000).publisherNanos,
    bannerRefreshSeconds: 30,
    isTest: false,
    filledAtMs,
    expiresAtMs: filledAtMs + AD_TTL_MS,
    ...overrides,
  };
}

/** Default grant of a lease: more than any test spends. */
const GRANTED_NANOS = 1_000_000_000_000n;

/** Makes the lease that pays for a fill of any day, and its sums. A lease that exists stays as it is. */
async function grantLease(pool: Pool, claims: ImpressionClaims): Promise<void> {
  if (claims.isTest) return;
  const { campaignId, advertiserId, leaseRun } = claims;
  const { rowCount } = await pool.query(
    `INSERT INTO budget.lease (campaign_id, minute, run, advertiser_id, granted_nanos, filled_nanos, expires_at)
     VALUES ($1, $2, $3, $4, $5, $5, to_timestamp($6::float8 / 1000)) ON CONFLICT DO NOTHING`,
    [
      campaignId,
      minuteOf(claims.filledAtMs),
      leaseRun,
      advertiserId,
      GRANTED_NANOS,
      claims.expiresAtMs + MINUTE_MS,
    ],
  );
  if (rowCount === 0) return;
  const day = dayToIso(dayOf(claims.filledAtMs));
  const add = 'DO UPDATE SET open_nanos = stored.open_nanos + excluded.open_nanos';
  await pool.query(
    `INSERT INTO budget.advertiser AS stored (advertiser_id, open_nanos) VALUES ($1, $2)
     ON CONFLICT (advertiser_id) ${add}`,
    [advertiserId, GRANTED_NANOS],
  );
  await pool.query(
    `INSERT INTO budget.campaign AS stored (advertiser_id, campaign_id, open_nanos) VALUES ($1, $2, $3)
     ON CONFLICT (advertiser_id, campaign_id) ${add}`,
    [advertiserId, campaignId, GRANTED_NANOS],
  );
  await pool.query(
    `INSERT INTO budget.campaign_day AS stored (advertiser_id, campaign_id, day, open_nanos) VALUES ($1, $2, $3, $4)
     ON CONFLICT (advertiser_id, campaign_id, day) ${add}`,
    [advertiserId, campaignId, day, GRANTED_NANOS],
  );
}

function openInstance(pool: Pool, clock: TestClock, grantAll: () => Promise<void>): Instance {
  const fraud = new FraudStandIn();
  const outcomes: FillOutcome[] = [];
  const rejections: Instance['rejections'] = [];
  const groups = makeGroups<PendingEvent, 'accepted' | Rejection>({
    itemsMax: 500,
    groupsMax: 2,
    restMs: 0,
    waitingMax: 10_000,
    isStoreInTime: () => true,
    work: makeJudgeGroup({
      store: openEventStore(pool, openPartitionStore(pool)),
      fraud,
      clock,
      onJudged: (judged) => outcomes.push(...judged),
      onWaiting: () => undefined,
    }),
  });
  const record = makeRecordEvent({
    tokens: { open: openToken },
    clock,
    eventWindowMs: WINDOW_MS,
    groups,
    onRead: () => undefined,
    onAccepted: () => undefined,
    onRejected: (event, rejection) => rejections.push({ event, rejection }),
  });
  const recordGranted: RecordEvent = async (report, call) => {
    await grantAll();
    return record(report, call);
  };
  return { record: recordGranted, fraud, outcomes, rejections };
}

/** Sends an event with these claims and returns the verdict. */
export function send(
  instance: Pick<Instance, 'record'>,
  type: EventReport['type'],
  claims: ImpressionClaims,
  completion = true,
): Promise<EventVerdict> {
  return instance.record(
    {
      type,
      requestId: claims.requestId,
      impressionToken: tokenOf(claims),
      completion: type === 'reward' ? completion : null,
    },
    { deadlineAt: Number.MAX_SAFE_INTEGER, requestId: '-' },
  );
}

/** Opens every store on a pool, for tests that check the books. */
export function openStores(pool: Pool) {
  return {
    counts: openCountStore(pool),
    ledger: openLedgerStore(pool),
    report: openReportStore(pool),
    leases: openLeaseStore(pool),
    settlement: openSettlementStore(pool, () => Date.now()),
    statement: openStatementStore(pool),
    months: openMonthStore(pool),
    verification: openVerificationStore(pool),
    partitions: openPartitionStore(pool),
  };
}

/** Balances by `kind id`, in nano-units. */
export async function balancesOf(pool: Pool): Promise<Record<string, bigint>> {
  const accounts = await openStores(pool).ledger.balances({ advertiserIds: [], publisherIds: [] });
  return Object.fromEntries(accounts.map(({ kind, id, balanceNanos }) => [`${kind} ${id}`, balanceNanos]));
}

/** Runs the verification from the sums, then from the rows. Returns every fault by name of its check. */
export async function faultsOf(
  pool: Pool,
  funds: readonly AccountSum[] | null = null,
  transfers: readonly AccountSum[] = [],
): Promise<Record<string, string>> {
  const { verification } = openStores(pool);
  const found: Record<string, string> = {};
  const given = funds === null ? null : { funds, transfers };
  for (const { name, ok, detail } of await verification.verify(given)) if (!ok) found[name] = detail;
  let next: string | null = null;
  do {
    const piece = await verification.verifyRows(next);
    for (const { name, faultCount, faults } of piece.checks)
      if (faultCount > 0n) found[name] = [found[name] ?? '', ...faults].join('\n');
    next = piece.next;
  } while (next !== null);
  return found;
}
