import {
  EventsServiceService,
  LedgerServiceService,
  ReportServiceService,
  SpendServiceService,
} from '@placard/protos/events/v1/events.js';
import { FraudServiceService, type SuspiciousEvent } from '@placard/protos/fraud/v1/fraud.js';
import { ServingServiceService, type FillOutcome } from '@placard/protos/serving/v1/serving.js';
import { appError } from '@placard/service-kit';
import { implementService, openGrpcClient, openGrpcServer, type RpcClient } from '@placard/service-kit/grpc';
import type { RedisClient } from '@placard/service-kit/redis';
import { makeImpressionTokens, parseKeyRing } from '@placard/service-kit/tokens';
import type { ImpressionClaims } from '@placard/service-kit/pure';
import {
  makeTestScope,
  openTestCatalogServer,
  testApp,
  testPlacement,
  testSnapshot,
  type TestScope,
} from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { openApp } from '../../src/app.js';
import { readServiceConfig, readWorkerConfig } from '../../src/config.js';
import { openSettlement } from '../../src/settlement-app.js';
import type { Bed } from './bed.js';

/** Key rings of the tests. */
export const KEYS = {
  SESSION_TOKEN_KEYS: `s1:${Buffer.alloc(32, 1).toString('base64url')}`,
  IMPRESSION_TOKEN_KEYS: `i1:${Buffer.alloc(32, 2).toString('base64url')}`,
};
/** An address without a server. */
export const DEAD = '127.0.0.1:1';

interface Clients {
  readonly events: RpcClient<EventsServiceService>;
  readonly spend: RpcClient<SpendServiceService>;
  readonly ledger: RpcClient<LedgerServiceService>;
  readonly reports: RpcClient<ReportServiceService>;
}

/** Whole processes of events-service with stand-ins for their peers, on a bed's database and a Redis of their own. */
export class Running {
  readonly outcomes: FillOutcome[] = [];
  readonly suspicious: SuspiciousEvent[] = [];
  isFraudDown = false;
  readonly scope: TestScope = makeTestScope({ name: 'events-service' });
  readonly #tokens = makeImpressionTokens(parseKeyRing(KEYS.IMPRESSION_TOKEN_KEYS));

  constructor(
    readonly bed: Bed,
    readonly redisUrl: string,
    readonly redis: RedisClient,
  ) {}

  /** Starts the service and returns its clients. */
  async open(redisUrl = this.redisUrl): Promise<Clients> {
    const { peer, catalog } = await this.#openPeers();
    const config = readServiceConfig({
      ...KEYS,
      HOST: '127.0.0.1',
      GRPC_PORT: '0',
      WRITE_GRPC_PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: this.bed.url,
      REDIS_URL: redisUrl,
      FRAUD_SERVICE_ADDRESS: peer,
      SERVING_SERVICE_ADDRESS: peer,
      CONSOLE_SERVICE_ADDRESS: catalog,
    });
    const { port, writePort } = await openApp(this.scope, config);
    const clients = makeTestScope();
    this.scope.onClose('clients', () => clients.close());
    const to = { address: `127.0.0.1:${port}`, name: 'events-service', budgetMs: 65_000 };
    const toLedger = { ...to, address: `127.0.0.1:${writePort}` };
    return {
      events: openGrpcClient(clients, EventsServiceService, to),
      spend: openGrpcClient(clients, SpendServiceService, to),
      ledger: openGrpcClient(clients, LedgerServiceService, toLedger),
      reports: openGrpcClient(clients, ReportServiceService, to),
    };
  }

  /** Starts a settlement worker. */
  async openWorker(redisUrl = this.redisUrl): Promise<TestScope> {
    const worker = makeTestScope({ name: 'settlement-worker' });
    this.scope.onClose('worker', () => worker.close());
    await openSettlement(
      worker,
      readWorkerConfig({
        HOST: '127.0.0.1',
        METRICS_PORT: '0',
        DATABASE_URL: this.bed.url,
        REDIS_URL: redisUrl,
      }),
    );
    return worker;
  }

  /** Cuts the connections of workers to this Redis database and no others; returns how many. */
  async cutWorkers(): Promise<number> {
    const database = new URL(this.redisUrl).pathname.slice(1) || '0';
    const connections = String(await this.redis.client('LIST')).split('\n');
    const ours = connections.filter(
      (line) => line.includes(`db=${database} `) && line.includes('settlement-worker'),
    );
    for (const line of ours) await this.redis.client('KILL', 'ID', /id=(\d+)/.exec(line)?.[1] ?? '');
    return ours.length;
  }

  /** The request that a client sends for a fill. */
  async requestOf(claims: ImpressionClaims) {
    await this.bed.grantAll();
    return { requestId: claims.requestId, impressionToken: this.#tokens.seal(claims) };
  }

  /** Whether an impression is booked. */
  async isSettled(claims: ImpressionClaims): Promise<boolean> {
    const { rowCount } = await this.bed.pool.query('SELECT 1 FROM ledger.transaction WHERE id = $1', [
      claims.requestId,
    ]);
    return rowCount === 1;
  }

  async close(): Promise<void> {
    await this.scope.close();
    this.redis.disconnect();
  }

  async #openPeers() {
    const fraud = implementService(FraudServiceService, {
      judgeAdRequest: () => Promise.resolve({ passes: true }),
      judgeEvents: ({ events }) =>
        this.isFraudDown
          ? Promise.reject(appError('unavailable', 'The counters cannot be reached.'))
          : Promise.resolve({
              judgements: events.map(({ placement }) =>
                placement === 'greedy'
                  ? { passes: false, rule: 'session_impressions_per_hour' }
                  : { passes: true, rule: '' },
              ),
            }),
      findSuspiciousEvents: () => Promise.resolve({ events: [] }),
      countSuspiciousEvents: () => Promise.resolve({ rows: [], rowsLeftOut: 0n }),
      recordSuspiciousEvents: ({ events }) => {
        this.suspicious.push(...events);
        return Promise.resolve({});
      },
    });
    const serving = implementService(ServingServiceService, {
      requestAd: () => Promise.reject(appError('unavailable', 'not here')),
      commitReservations: (request) => {
        this.outcomes.push(...request.outcomes);
        return Promise.resolve({});
      },
    });
    const peers = makeTestScope();
    this.scope.onClose('peers', () => peers.close());
    const { port } = await openGrpcServer(peers, { host: '127.0.0.1', port: 0, services: [fraud, serving] });
    const catalogScope = makeTestScope();
    this.scope.onClose('catalog peer', () => catalogScope.close());
    const catalog = await openTestCatalogServer(catalogScope);
    void catalog.nextStream().then((stream) => {
      stream.send(...testSnapshot(1, { apps: [testApp()], placements: [testPlacement()] }));
    });
    return { peer: `127.0.0.1:${port}`, catalog: catalog.address };
  }
}

/** Opens {@link Running} on an empty Redis. */
export async function openRunning(bed: Bed): Promise<Running> {
  const { url, redis } = await openTestRedis();
  return new Running(bed, url, redis);
}
