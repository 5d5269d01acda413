import { openGrpcClient, type RpcClient } from '@placard/service-kit/grpc';
import type { RedisClient } from '@placard/service-kit/redis';
import { makeImpressionTokens, makeSessionTokens, parseKeyRing } from '@placard/service-kit/tokens';
import {
  makeTestClock,
  makeTestScope,
  openTestCatalogServer,
  testChanges,
  testSnapshot,
  type TestCatalogServer,
  type TestCatalogStream,
  type TestClock,
  type TestScope,
} from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import {
  asAppId,
  asSessionId,
  HOUR_MS,
  MINUTE_MS,
  minuteOf,
  type CatalogObjects,
  type ImpressionClaims,
  type SessionClaims,
} from '@placard/service-kit/pure';
import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import type { TrafficCurve } from '@placard/protos/events/v1/events.js';
import {
  TryServiceService,
  type ExplainedRequest,
  type TryRequest,
} from '@placard/protos/explain/v1/explain.js';
import {
  ServingServiceService,
  type Fill,
  type RequestAdRequest,
  type RequestAdResponse,
} from '@placard/protos/serving/v1/serving.js';
import { openApp } from '../../src/app.js';
import { readServingConfig } from '../../src/config.js';
import { openFakeFraud, openFakeSpend, type FakeFraud, type FakeSpend } from './fake-peers.js';
import { APP_KEY, catalogObjects } from './world.js';

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64url')}`;
const IMPRESSION_KEYS = `k1:${Buffer.alloc(32, 2).toString('base64url')}`;

const CONNECT_MS_MAX = 5_000;

type Client = RpcClient<typeof ServingServiceService>;

interface Replica {
  readonly scope: TestScope;
  readonly client: Client;
  readonly tries: RpcClient<typeof TryServiceService>;
  readonly stream: TestCatalogStream;
}

/** One or more replicas of serving-service with real Redis and fakes of their peers. */
export interface Running {
  readonly clock: TestClock;
  readonly redis: RedisClient;
  readonly spend: FakeSpend;
  readonly fraud: FakeFraud;
  readonly replicas: readonly Client[];
  readonly sessionToken: (changes?: Partial<SessionClaims>) => string;
  /** Sends an ad request to the replica; by default the first. */
  readonly ask: (changes?: Partial<RequestAdRequest>, replica?: number) => Promise<RequestAdResponse>;
  /** Explains a request that no client makes, at the first replica. */
  readonly try: (changes?: Partial<TryRequest>) => Promise<ExplainedRequest>;
  readonly openImpression: (token: string) => ImpressionClaims | null;
  /** Changes the catalog and waits until every replica has it. */
  readonly change: (objects: Partial<CatalogObjects>) => Promise<void>;
  /** A metric of the replica; by default of the first. */
  readonly scrape: (name: string, replica?: number) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Options of the replicas. */
export interface RunningOptions {
  readonly catalog?: Partial<CatalogObjects>;
  readonly replicas?: number;
  readonly redisUrl?: string;
  /** The share of requests whose explanations are kept. Default: none. */
  readonly explainSample?: number;
  /** The learned days of traffic at events-service. */
  readonly curves?: readonly TrafficCurve[];
}

/** Opens replicas whose clock stands still in the middle of the real minute until a test moves it. */
export async function openRunning(options: RunningOptions = {}): Promise<Running> {
  const clock = makeTestClock((minuteOf(Date.now()) + 0.5) * MINUTE_MS);
  const peers = makeTestScope({ clock });
  // Each server of the test has its own scope, as each process has.
  const scopeOfPeer = (): TestScope => {
    const scope = makeTestScope({ clock });
    peers.onClose('peer', () => scope.close());
    return scope;
  };
  const { redis, url } = await openTestRedis();
  const spend = await openFakeSpend(scopeOfPeer(), () => clock.now());
  spend.curves.push(...(options.curves ?? []));
  const fraud = await openFakeFraud(scopeOfPeer());
  const catalogServer = await openTestCatalogServer(scopeOfPeer());
  const count = options.replicas ?? 1;
  const environment = {
    HOST: '127.0.0.1',
    GRPC_PORT: '0',
    METRICS_PORT: '0',
    REDIS_URL: options.redisUrl ?? url,
    SESSION_TOKEN_KEYS: KEYS,
    IMPRESSION_TOKEN_KEYS: IMPRESSION_KEYS,
    EXPLAIN_SAMPLE: String(options.explainSample ?? 0),
    CONSOLE_SERVICE_ADDRESS: catalogServer.address,
    EVENTS_SERVICE_ADDRESS: spend.address,
    FRAUD_SERVICE_ADDRESS: fraud.address,
  };
  const opened: Replica[] = [];
  for (let n = 0; n < count; n += 1) {
    const { catalog = {}, redisUrl } = options;
    const isRedisThere = redisUrl === undefined;
    opened.push(await openReplica(peers, { clock, catalogServer, environment, catalog, isRedisThere }));
  }
  const sessions = makeSessionTokens(parseKeyRing(KEYS));
  const impressions = makeImpressionTokens(parseKeyRing(IMPRESSION_KEYS));
  let version = 1;
  const running: Running = {
    clock,
    redis,
    spend,
    fraud,
    replicas: opened.map(({ client }) => client),
    sessionToken: (changes = {}) => sessions.seal(aSession(clock, changes)),
    async ask(changes = {}, replica = 0) {
      const sessionToken = changes.sessionToken ?? running.sessionToken();
      const client = opened[replica]?.client;
      if (client === undefined) throw new Error('no such replica');
      return client.requestAd({ ...aRequest(), ...changes, sessionToken });
    },
    try: (changes = {}) => tryAt(opened[0], changes),
    openImpression: (token) => impressions.open(token),
    async change(objects) {
      version += 1;
      for (const { stream } of opened) stream.send(testChanges(version, objects));
      for (const { scope } of opened) await untilVersion(scope, version);
    },
    async scrape(name, replica = 0) {
      return (await opened[replica]?.scope.metrics.getSingleMetricAsString(name)) ?? '';
    },
    async close() {
      for (const { scope } of opened) await scope.close();
      redis.disconnect();
      await peers.close();
    },
  };
  return running;
}

async function openReplica(
  peers: TestScope,
  given: {
    readonly clock: TestClock;
    readonly catalogServer: TestCatalogServer;
    readonly environment: NodeJS.ProcessEnv;
    readonly catalog: Partial<CatalogObjects>;
    readonly isRedisThere: boolean;
  },
): Promise<Replica> {
  const scope = makeTestScope({ name: 'serving-service', clock: given.clock });
  // A process waits for its first catalog for some time before it listens.
  const sendCatalog = async (): Promise<TestCatalogStream> => {
    const opened = await given.catalogServer.nextStream();
    opened.send(...testSnapshot(1, catalogObjects(given.catalog)));
    return opened;
  };
  const [{ port }, stream] = await Promise.all([
    openApp(scope, readServingConfig(given.environment)),
    sendCatalog(),
  ]);
  await untilVersion(scope, 1);
  if (given.isRedisThere) await untilConnected(scope);
  const at = { address: `127.0.0.1:${port}`, name: 'serving-service', budgetMs: 15_000 };
  const client = openGrpcClient(peers, ServingServiceService, at);
  return { scope, client, tries: openGrpcClient(peers, TryServiceService, at), stream };
}

/** Before that, requests are answered as while Redis is down. */
async function untilConnected(scope: TestScope): Promise<void> {
  const until = Date.now() + CONNECT_MS_MAX;
  while (scope.health.components()['redis']?.ok !== true) {
    if (Date.now() > until) throw new Error('Redis did not connect');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits for the catalog version in the metrics of the process. Nothing else shows when a change is in force. */
async function untilVersion(scope: TestScope, version: number): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    const text = await scope.metrics.metrics();
    if (new RegExp(`^placard_catalog_version(\\{[^}]*\\})? ${version}$`, 'm').test(text)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`catalog version ${version} did not arrive`);
}

function aSession(clock: TestClock, changes: Partial<SessionClaims>): SessionClaims {
  const now = clock.now();
  return {
    sessionId: asSessionId(`ses_${Math.random().toString(36).slice(2)}`),
    appId: asAppId('app_puzzle'),
    packageName: 'com.sunrise.puzzle',
    isTest: false,
    issuedAtMs: now,
    expiresAtMs: now + HOUR_MS,
    ...changes,
  };
}

async function tryAt(replica: Replica | undefined, changes: Partial<TryRequest>): Promise<ExplainedRequest> {
  const answer = await replica?.tries.try({ ...aTry(), ...changes });
  if (answer?.request === undefined) throw new Error('no explanation');
  return answer.request;
}

function aTry(): TryRequest {
  return {
    appId: 'app_puzzle',
    placement: 'home_banner',
    language: undefined,
    androidVersion: undefined,
    screenWidth: undefined,
    screenHeight: undefined,
    country: undefined,
  };
}

function aRequest(): RequestAdRequest {
  return {
    appKey: APP_KEY,
    placement: 'home_banner',
    format: AdFormat.BANNER,
    sessionToken: '',
    language: undefined,
    androidVersion: undefined,
    screenWidth: undefined,
    screenHeight: undefined,
    testMode: false,
    testForceNoFill: false,
    country: undefined,
    publicBaseUrl: 'https://ads.example.com',
    waitedMs: 0,
  };
}

/** The fill of an answer; throws when there is none. */
export function fillOf(response: RequestAdResponse): Fill {
  if (response.result?.$case !== 'fill') throw new Error(`no fill: ${JSON.stringify(response.result)}`);
  return response.result.value;
}
