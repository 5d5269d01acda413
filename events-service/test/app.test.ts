import {
  EventVerdict,
  EventsServiceService,
  FallbackReason,
  LedgerServiceService,
  ReportKey,
  ReportServiceService,
  SpendServiceService,
} from '@placard/protos/events/v1/events.js';
import { FraudServiceService, type SuspiciousEvent } from '@placard/protos/fraud/v1/fraud.js';
import { FillFate, ServingServiceService, type FillOutcome } from '@placard/protos/serving/v1/serving.js';
import {
  appError,
  implementService,
  makeImpressionTokens,
  makeSessionTokens,
  openGrpcClient,
  openGrpcServer,
  parseKeyRing,
  type AppError,
  type RedisClient,
} from '@placard/service-kit';
import { HOUR_MS, asAppId, asSessionId, minuteOf, type ImpressionClaims } from '@placard/service-kit/pure';
import {
  makeTestScope,
  openTestCatalogServer,
  openTestRedis,
  testApp,
  testPlacement,
  testSnapshot,
  type TestScope,
} from '@placard/service-kit/testing';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApp } from '../src/app.js';
import { readServiceConfig, readWorkerConfig } from '../src/config.js';
import { openSettlement } from '../src/settlement-app.js';
import { openBed, type Bed } from './bed.js';

const KEYS = {
  SESSION_TOKEN_KEYS: `s1:${Buffer.alloc(32, 1).toString('base64url')}`,
  IMPRESSION_TOKEN_KEYS: `i1:${Buffer.alloc(32, 2).toString('base64url')}`,
};
const DEAD = '127.0.0.1:1';

/** Waits for other processes' work, at most five seconds. */
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endAt = Date.now() + 5_000;
  while (!(await holds())) {
    if (Date.now() > endAt) throw new Error(`never came: ${what}`);
    await sleep(20);
  }
}

describe('events-service and its worker on the wire', () => {
  let bed: Bed;
  let redis: { readonly url: string; readonly redis: RedisClient };
  let scope: TestScope;
  const outcomes: FillOutcome[] = [];
  const suspicious: SuspiciousEvent[] = [];
  let isFraudDown = false;

  before(async () => {
    bed = await openBed();
    redis = await openTestRedis();
  });
  after(async () => {
    redis.redis.disconnect();
    await bed.drop();
  });
  beforeEach(() => {
    scope = makeTestScope({ name: 'events-service' });
    outcomes.length = 0;
    suspicious.length = 0;
    isFraudDown = false;
  });
  afterEach(() => scope.close());

  const openPeers = async () => {
    const fraud = implementService(FraudServiceService, {
      judgeAdRequest: () => Promise.resolve({ passes: true }),
      judgeEvents: ({ events }) =>
        isFraudDown
          ? Promise.reject(appError('unavailable', 'The counters cannot be reached.'))
          : Promise.resolve({
              judgements: events.map(({ placement }) =>
                placement === 'greedy'
                  ? { passes: false, rule: 'session_impressions_per_hour' }
                  : { passes: true, rule: '' },
              ),
            }),
      recordSuspiciousEvents: ({ events }) => {
        suspicious.push(...events);
        return Promise.resolve({});
      },
    });
    const serving = implementService(ServingServiceService, {
      requestAd: () => Promise.reject(appError('unavailable', 'not here')),
      commitReservations: (request) => {
        outcomes.push(...request.outcomes);
        return Promise.resolve({});
      },
    });
    const peers = makeTestScope();
    scope.onClose('peers', () => peers.close());
    const { port } = await openGrpcServer(peers, { host: '127.0.0.1', port: 0, services: [fraud, serving] });
    const catalogScope = makeTestScope();
    scope.onClose('catalog peer', () => catalogScope.close());
    const catalog = await openTestCatalogServer(catalogScope);
    void catalog.nextStream().then((stream) => {
      stream.send(...testSnapshot(1, { apps: [testApp()], placements: [testPlacement()] }));
    });
    return { peer: `127.0.0.1:${port}`, catalog: catalog.address };
  };

  const open = async (redisUrl = redis.url) => {
    const { peer, catalog } = await openPeers();
    const config = readServiceConfig({
      ...KEYS,
      HOST: '127.0.0.1',
      GRPC_PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: bed.url,
      REDIS_URL: redisUrl,
      FRAUD_SERVICE_ADDRESS: peer,
      SERVING_SERVICE_ADDRESS: peer,
      CONSOLE_SERVICE_ADDRESS: catalog,
    });
    const { port } = await openApp(scope, config);
    const clients = makeTestScope();
    scope.onClose('clients', () => clients.close());
    const to = { address: `127.0.0.1:${port}`, name: 'events-service', budgetMs: 65_000 };
    return {
      events: openGrpcClient(clients, EventsServiceService, to),
      spend: openGrpcClient(clients, SpendServiceService, to),
      ledger: openGrpcClient(clients, LedgerServiceService, to),
      reports: openGrpcClient(clients, ReportServiceService, to),
    };
  };
  const openWorker = async (redisUrl = redis.url) => {
    const worker = makeTestScope({ name: 'settlement-worker' });
    scope.onClose('worker', () => worker.close());
    await openSettlement(
      worker,
      readWorkerConfig({ HOST: '127.0.0.1', METRICS_PORT: '0', DATABASE_URL: bed.url, REDIS_URL: redisUrl }),
    );
    return worker;
  };
  const tokens = makeImpressionTokens(parseKeyRing(KEYS.IMPRESSION_TOKEN_KEYS));
  const requestOf = async (claims: ImpressionClaims) => ({
    requestId: claims.requestId,
    impressionToken: await tokens.seal(claims),
  });
  const isSettled = async (claims: ImpressionClaims): Promise<boolean> => {
    const { rowCount } = await bed.pool.query('SELECT 1 FROM ledger.transaction WHERE id = $1', [
      claims.requestId,
    ]);
    return rowCount === 1;
  };

  it('an accepted impression is committed to serving-service, settled by the worker and proved by the books', async () => {
    const { events, ledger, reports } = await open();
    await openWorker();
    const claims = bed.fill();
    const request = await requestOf(claims);
    expect((await events.recordImpression(request)).verdict).to.equal(EventVerdict.ACCEPTED);
    expect((await events.recordImpression(request)).verdict).to.equal(EventVerdict.DUPLICATE);
    await until(() => outcomes.length === 1, 'the outcome at serving-service');
    expect(outcomes[0]).to.include({
      requestId: claims.requestId,
      fate: FillFate.SHOWN,
      costNanos: 2_500_000n,
      test: false,
    });
    await until(() => isSettled(claims), 'the settlement');
    expect((await events.recordClick(request)).verdict).to.equal(EventVerdict.ACCEPTED);
    const { ok, checks } = await ledger.verifyLedger({ wait: true, funds: [], publishers: [] });
    expect(checks.filter((check) => !check.ok)).to.deep.equal([]);
    expect(ok).to.equal(true);
    const { accounts, sumNanos } = await ledger.listBalances({ advertiserIds: [], publisherIds: [] });
    expect(sumNanos).to.equal(0n);
    expect(accounts[0]).to.include({ id: 'adv_northwind', balanceNanos: -2_500_000n });
    const now = BigInt(Date.now());
    const report = await reports.getReport({ by: [ReportKey.CAMPAIGN], fromMs: now - 3_600_000n, toMs: now });
    expect(report.rows[0]).to.deep.include({
      keys: ['cmp_spring'],
      impressions: 1n,
      clicks: 1n,
      rejected: { duplicate: 1n },
    });
    expect(report.rows[0]?.requests).to.equal(undefined);
  });

  it('rejections whose token can be read reach the suspicious-event log, a suspicious impression gives its money back', async () => {
    const { events } = await open();
    const claims = bed.fill({ placement: testPlacement({ code: 'greedy' }).code });
    expect((await events.recordImpression(await requestOf(claims))).verdict).to.equal(
      EventVerdict.SUSPICIOUS,
    );
    expect((await events.recordClick(await requestOf(claims))).verdict).to.equal(EventVerdict.NO_IMPRESSION);
    for (const impressionToken of ['blah', 'a.b.c', '..', ' ', 'A'.repeat(2_048), '🙂']) {
      const { verdict } = await events.recordImpression({ requestId: claims.requestId, impressionToken });
      expect(verdict).to.equal(EventVerdict.INVALID_TOKEN);
    }
    await until(() => outcomes.length === 1, 'the outcome at serving-service');
    expect(outcomes[0]?.fate).to.equal(FillFate.SUSPICIOUS);
    await until(() => suspicious.length === 2, 'the suspicious events');
    expect(suspicious.map(({ rule, event, placement }) => [rule, event, placement])).to.deep.equal([
      ['session_impressions_per_hour', 'impression', 'greedy'],
      ['no_impression', 'click', 'greedy'],
    ]);
  });

  it('a session token is no impression token, and the reverse', async () => {
    const { events } = await open();
    const sessions = makeSessionTokens(parseKeyRing(KEYS.SESSION_TOKEN_KEYS));
    const sessionToken = await sessions.seal({
      sessionId: asSessionId('ses_1'),
      appId: asAppId('app_sunrise_puzzle'),
      packageName: 'com.sunrise.puzzle',
      isTest: false,
      issuedAtMs: Date.now(),
      expiresAtMs: Date.now() + HOUR_MS,
    });
    const claims = bed.fill();
    const wrong = await events.recordImpression({
      requestId: claims.requestId,
      impressionToken: sessionToken,
    });
    expect(wrong.verdict).to.equal(EventVerdict.INVALID_TOKEN);
    const fallback = { placement: 'home_banner', reason: FallbackReason.NO_FILL };
    const { impressionToken } = await requestOf(claims);
    const refused = await events
      .recordFallback({ ...fallback, sessionToken: impressionToken })
      .catch((error: unknown) => error);
    expect((refused as AppError).code).to.equal('invalid_session');
    await until(async () => {
      const answer = await events.recordFallback({ ...fallback, sessionToken }).catch(() => null);
      return answer !== null;
    }, 'the catalog');
    const { rowCount } = await bed.pool.query("SELECT 1 FROM events.event WHERE type = 'fallback'");
    expect(rowCount).to.equal(1);
  });

  it('without Redis events are accepted and the worker settles by its own timer', async () => {
    const { events } = await open(`redis://${DEAD}`);
    await openWorker(`redis://${DEAD}`);
    const claims = bed.fill();
    expect((await events.recordImpression(await requestOf(claims))).verdict).to.equal(EventVerdict.ACCEPTED);
    await until(() => isSettled(claims), 'the settlement');
  });

  it('a queue that lost its memory and its jobs does not stop the settlement', async () => {
    const { events } = await open();
    await openWorker();
    for (let round = 0; round < 3; round += 1) {
      await redis.redis.flushdb();
      const claims = bed.fill();
      await events.recordImpression(await requestOf(claims));
      await redis.redis.flushdb();
      await until(() => isSettled(claims), 'the settlement');
    }
  });

  it('several workers together settle each event once', async () => {
    const { events, ledger } = await open();
    await Promise.all([openWorker(), openWorker(), openWorker()]);
    const fills = Array.from({ length: 60 }, () => bed.fill());
    const requests = await Promise.all(fills.map(requestOf));
    const answers = await Promise.all(requests.map((request) => events.recordImpression(request)));
    expect(answers.every(({ verdict }) => verdict === EventVerdict.ACCEPTED)).to.equal(true);
    const { checks } = await ledger.verifyLedger({ wait: true, funds: [], publishers: [] });
    expect(checks.filter((check) => !check.ok)).to.deep.equal([]);
    expect(checks.find((check) => check.name.startsWith('accepted'))?.detail).to.contain('+ 0 (');
  });

  it('while fraud-service is down an impression fails, and is accepted when it is sent again', async () => {
    const { events } = await open();
    const request = await requestOf(bed.fill());
    isFraudDown = true;
    const failure = await events.recordImpression(request).catch((error: unknown) => error);
    expect((failure as AppError).code).to.equal('unavailable');
    isFraudDown = false;
    expect((await events.recordImpression(request)).verdict).to.equal(EventVerdict.ACCEPTED);
  });

  it('serving-service asks for the truth, for sums of minutes that are not over, and reports', async () => {
    const { spend } = await open();
    const claims = bed.fill();
    const minute = BigInt(minuteOf(claims.filledAtMs));
    await spend.reportServing({ reporterId: 'replica', sequence: 1n, requests: [], fills: [], traffic: [] });
    const failure = await spend
      .getAcceptedSums({
        minutes: [{ campaignId: 'cmp_spring', minute, expiresAtMs: BigInt(claims.expiresAtMs) }],
      })
      .catch((error: unknown) => error);
    expect((failure as AppError).code).to.equal('failed_precondition');
    expect(await spend.getTrafficCurves({})).to.deep.equal({ curves: [] });
    const truth = await spend.getBudgetTruth({ advertiserId: 'adv_new', campaignIds: ['cmp_new'] });
    expect(truth).to.deep.equal({
      advertiserAcceptedNanos: 0n,
      openMinutes: [],
      campaigns: [{ campaignId: 'cmp_new', acceptedNanos: 0n, days: [] }],
    });
  });
});
