import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import {
  EventType,
  FraudServiceService,
  SuspiciousKey,
  type EventToJudge,
} from '@placard/protos/fraud/v1/fraud.js';
import { openGrpcClient, type RpcClient } from '@placard/service-kit/grpc';
import { codeOf, makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { openTestDatabase, openTestRedis, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { openApp } from '../src/app.js';
import { readFraudConfig } from '../src/config.js';
import { EVENTS_PER_CALL_MAX } from '../src/rpc/fraud-handlers.js';
import { START_MS } from './traffic.js';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
const NOWHERE_POSTGRES = 'postgres://u:p@127.0.0.1:1/x';
const NOWHERE_REDIS = 'redis://127.0.0.1:1';

type Client = RpcClient<typeof FraudServiceService>;

async function startApp(scope: TestScope, environment: Readonly<Record<string, string>>): Promise<Client> {
  const own = { HOST: '127.0.0.1', GRPC_PORT: '0', METRICS_PORT: '0' };
  const { port } = await openApp(scope, readFraudConfig({ ...own, ...environment }));
  if (environment['REDIS_URL'] !== NOWHERE_REDIS) await untilOk(scope, 'redis');
  if (environment['DATABASE_URL'] !== NOWHERE_POSTGRES) await untilOk(scope, 'postgres');
  return openGrpcClient(scope, FraudServiceService, { address: `127.0.0.1:${port}`, name: 'fraud-service' });
}

/** Connections open in the background. The time limit of mocha bounds the wait. */
async function untilOk(scope: TestScope, component: string): Promise<void> {
  while (scope.health.components()[component]?.ok !== true) await setImmediate();
}

function wireEvent(overrides: Partial<EventToJudge> = {}): EventToJudge {
  return {
    type: EventType.IMPRESSION,
    requestId: 'req_1',
    sessionId: 'rpc',
    sessionExpiresAtMs: BigInt(START_MS + 3_600_000),
    appId: 'app_sunrise_puzzle',
    placement: 'video',
    format: AdFormat.REWARDED,
    bannerRefreshSeconds: 30,
    arrivedAtMs: BigInt(START_MS),
    impressionArrivedAtMs: undefined,
    ...overrides,
  };
}

function wireClick(requestId: string, delayMs: number): EventToJudge {
  return wireEvent({
    type: EventType.CLICK,
    requestId,
    arrivedAtMs: BigInt(START_MS + delayMs),
    impressionArrivedAtMs: BigInt(START_MS),
  });
}

const suspicious = {
  rule: 'package_mismatch',
  event: 'initialize',
  appId: 'app_sunrise_puzzle',
  placement: undefined,
  sessionId: undefined,
  requestId: undefined,
  atMs: BigInt(START_MS),
};

describe('FraudService', () => {
  let database: TestDatabase;
  let redisUrl: string;
  let scope: TestScope;
  before(async () => {
    database = await openTestDatabase({ migrations: [{ schema: 'fraud', dir: MIGRATIONS }] });
  });
  after(() => database.drop());
  beforeEach(async () => {
    const { url, redis } = await openTestRedis();
    redisUrl = url;
    redis.disconnect();
    scope = makeTestScope({ name: 'fraud-service' });
  });
  afterEach(() => scope.close());

  const stores = (): Record<string, string> => ({ DATABASE_URL: database.url, REDIS_URL: redisUrl });

  it('accepts thirty ad requests of a session in a minute, and thirty more later', async () => {
    const client = await startApp(scope, stores());
    const ask = (n: number, afterMs: number): Promise<{ passes: boolean }> =>
      client.judgeAdRequest({ sessionId: 'rpc', requestId: `req_${n}`, atMs: BigInt(START_MS + afterMs) });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n, 0)));
    expect(answers.filter(({ passes }) => passes)).to.have.length(30);
    expect(await ask(50, 59_999)).to.deep.equal({ passes: false });
    expect(await ask(51, 60_000)).to.deep.equal({ passes: true });
  });

  it('judges a batch in order and names the broken rules', async () => {
    const FRAUD_RULES = '{"fullscreen_impressions_per_hour":1,"clicks_per_hour":1}';
    const client = await startApp(scope, { ...stores(), FRAUD_RULES });
    const banner = { format: AdFormat.BANNER, placement: 'home' };
    const events = [
      wireEvent({ requestId: 'a' }),
      wireEvent({ requestId: 'b' }),
      wireEvent({ requestId: 'a' }),
      wireClick('a', 999),
      wireClick('a', 1_000),
      wireClick('b', 1_000),
      wireEvent({ requestId: 'c', ...banner }),
    ];
    const { judgements } = await client.judgeEvents({ events });
    expect(judgements.map(({ rule }) => rule)).to.deep.equal([
      '',
      'fullscreen_impressions_per_hour',
      '',
      'click_delay',
      '',
      'clicks_per_hour',
      '',
    ]);
    for (const { passes, rule } of judgements) expect(passes).to.equal(rule === '');
  });

  it('counts verdicts by rule', async () => {
    const client = await startApp(scope, stores());
    await client.judgeEvents({ events: [wireEvent(), wireClick('a', 3)] });
    const text = await scope.metrics.metrics();
    expect(text).to.include('placard_fraud_verdicts_total{subject="impression",rule="none"} 1');
    expect(text).to.include('placard_fraud_verdicts_total{subject="click",rule="click_delay"} 1');
  });

  it('counts the refusals of rules in FRAUD_SHADOW_RULES, and accepts the traffic', async () => {
    const FRAUD_SHADOW_RULES = 'click_delay,ad_requests_per_minute,clicks_per_hour';
    const client = await startApp(scope, { ...stores(), FRAUD_SHADOW_RULES });
    const before = await scope.metrics.metrics();
    expect(before).to.include('placard_fraud_shadow_total{subject="click",rule="click_delay"} 0');
    const { judgements } = await client.judgeEvents({ events: [wireEvent(), wireClick('a', 3)] });
    expect(judgements.map(({ passes }) => passes)).to.deep.equal([true, true]);
    const asks = Array.from({ length: 32 }, (_, n) =>
      client.judgeAdRequest({ sessionId: 'shadow', requestId: `req_${n}`, atMs: BigInt(START_MS) }),
    );
    expect((await Promise.all(asks)).filter(({ passes }) => passes)).to.have.length(32);
    for (const text of [await scope.metrics.metrics(), await scope.metrics.metrics()]) {
      expect(text).to.include('placard_fraud_shadow_total{subject="click",rule="click_delay"} 1');
      expect(text).to.include('placard_fraud_shadow_total{subject="click",rule="clicks_per_hour"} 0');
      expect(text).to.include(
        'placard_fraud_shadow_total{subject="ad_request",rule="ad_requests_per_minute"} 2',
      );
      expect(text).to.include('placard_fraud_verdicts_total{subject="ad_request",rule="none"} 32');
      expect(text).to.include('placard_fraud_verdicts_total{subject="click",rule="none"} 1');
    }
  });

  it('takes the shortest click delay from MIN_CLICK_DELAY_MS', async () => {
    const client = await startApp(scope, { ...stores(), MIN_CLICK_DELAY_MS: '50' });
    const { judgements } = await client.judgeEvents({ events: [wireClick('a', 49), wireClick('a', 50)] });
    expect(judgements.map(({ passes }) => passes)).to.deep.equal([false, true]);
  });

  it('adds to the suspicious-event log', async () => {
    const client = await startApp(scope, stores());
    await client.recordSuspiciousEvents({ events: [suspicious, { ...suspicious, requestId: 'req_7' }] });
    await client.recordSuspiciousEvents({ events: [] });
    const { rows } = await database.pool.query<{ request_id: string | null }>(
      'SELECT request_id FROM fraud.suspicious_events ORDER BY id',
    );
    expect(rows.map((row) => row.request_id)).to.deep.equal([null, 'req_7']);
  });

  it('refuses invalid calls with `invalid_argument`', async () => {
    const client = await startApp(scope, stores());
    const judge = (overrides: Partial<EventToJudge>): Promise<unknown> =>
      client.judgeEvents({ events: [wireEvent(), wireEvent(overrides)] });
    const wrong: readonly Partial<EventToJudge>[] = [
      { type: EventType.UNSPECIFIED },
      { type: EventType.CLICK },
      { format: AdFormat.UNSPECIFIED },
      { format: AdFormat.BANNER, bannerRefreshSeconds: 0 },
      { sessionId: '' },
      { requestId: 'r'.repeat(129) },
      { arrivedAtMs: 0n },
      { sessionExpiresAtMs: 2n ** 62n },
    ];
    for (const overrides of wrong) expect(await codeOf(judge(overrides))).to.equal('invalid_argument');
    const events = Array.from({ length: EVENTS_PER_CALL_MAX + 1 }, () => wireEvent());
    expect(await codeOf(client.judgeEvents({ events }))).to.equal('invalid_argument');
    const nul = { ...suspicious, rule: 'a\0b' };
    expect(await codeOf(client.recordSuspiciousEvents({ events: [nul] }))).to.equal('invalid_argument');
  });

  it('passes an event of a newer type, and judges a newer format as a full-screen one', async () => {
    const client = await startApp(scope, stores());
    const judge = (events: readonly EventToJudge[]) => client.judgeEvents({ events: [...events] });
    const { judgements } = await judge([wireEvent({ type: 999 as EventType })]);
    expect(judgements).to.deep.equal([{ passes: true, rule: '' }]);
    const newer = { sessionId: 'newer', format: 999 as AdFormat, bannerRefreshSeconds: 0 };
    const shown = Array.from({ length: 61 }, (_, at) =>
      wireEvent({ ...newer, requestId: `req_newer_${at}` }),
    );
    expect((await judge(shown)).judgements.at(-1)?.rule).to.equal('fullscreen_impressions_per_hour');
  });

  it('refuses to split suspicious events by a key of a newer console-service', async () => {
    const client = await startApp(scope, stores());
    const splitBy = (key: SuspiciousKey) =>
      codeOf(client.countSuspiciousEvents({ by: [SuspiciousKey.RULE, key], fromMs: 1n, toMs: 2n }));
    expect(await splitBy(SuspiciousKey.APP)).to.equal(null);
    expect(await splitBy(999 as SuspiciousKey)).to.equal('invalid_argument');
  });

  it('fails judgements with `unavailable` while Redis is down, and still accepts log entries', async () => {
    const client = await startApp(scope, { ...stores(), REDIS_URL: NOWHERE_REDIS });
    const ask = client.judgeAdRequest({ sessionId: 's', requestId: 'r', atMs: BigInt(START_MS) });
    expect(await codeOf(ask)).to.equal('unavailable');
    expect(await codeOf(client.judgeEvents({ events: [wireEvent()] }))).to.equal('unavailable');
    expect(await codeOf(client.recordSuspiciousEvents({ events: [suspicious] }))).to.equal(null);
  });

  it('judges while Postgres is down, and fails log entries with `unavailable`', async () => {
    const client = await startApp(scope, { ...stores(), DATABASE_URL: NOWHERE_POSTGRES });
    const { judgements } = await client.judgeEvents({ events: [wireEvent()] });
    expect(judgements).to.deep.equal([{ passes: true, rule: '' }]);
    expect(await codeOf(client.recordSuspiciousEvents({ events: [suspicious] }))).to.equal('unavailable');
  });
});
