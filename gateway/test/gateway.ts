import type { Logger } from '@placard/service-kit';
import { implementService, openGrpcServer, type Handlers } from '@placard/service-kit/grpc';
import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import type { Clock } from '@placard/service-kit/pure';
import { EventsServiceService, ReportServiceService } from '@placard/protos/events/v1/events.js';
import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGateway } from '../src/app.js';
import { readGatewayConfig } from '../src/config.js';
import { HTTP_LIMITS, type HttpLimits } from '../src/edge/domain/http-limits.js';
import { makePeers, type Peers } from './peers.js';

/** A running gateway with fake peers and the real Redis. */
export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly scope: TestScope;
  readonly peers: Peers;
  close(): Promise<void>;
}

/** Options of a test gateway. */
export interface TestGatewayOptions {
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
  /** Shorter times and smaller limits than those of the product. */
  readonly limits?: HttpLimits;
  /** Default: none. */
  readonly log?: Logger;
  /** False: does not wait for Redis. */
  readonly waitsForRedis?: boolean;
}

/** A fixed key, so that all gateways of a test have the same hashes. */
const HASH_KEY = 'a key of the tests alone';

/** A test shares its process with fake peers and with other tests. Their pauses are no overload of the gateway. */
const PATIENT = { events: Infinity, ads: Infinity, sessions: Infinity, reports: Infinity };

/** Starts fake peers on one port and a gateway that calls them. */
export async function openTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const peers = makePeers();
  const peerScope = makeTestScope({ name: 'peers' });
  const services = [
    implementService(SessionServiceService, forward(peers.session)),
    implementService(ServingServiceService, forward(peers.serving)),
    implementService(EventsServiceService, forward(peers.events)),
    implementService(ReportServiceService, forward(peers.reports)),
  ];
  peerScope.health.register('process').set(true);
  const { port: peerPort } = await openGrpcServer(peerScope, { host: '127.0.0.1', port: 0, services });
  const address = `127.0.0.1:${peerPort}`;
  const scope = makeTestScope({
    name: 'gateway',
    clock: options.clock,
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  scope.health.register('process').set(true);
  const close = async (): Promise<void> => {
    await scope.close();
    await peerScope.close();
  };
  const open = async () => {
    const config = readGatewayConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      REDIS_URL: process.env['TEST_REDIS_URL'],
      NETWORK_HASH_KEY: HASH_KEY,
      SESSION_SERVICE_ADDRESS: address,
      SERVING_SERVICE_ADDRESS: address,
      EVENTS_SERVICE_ADDRESS: address,
      CONSOLE_HTTP_URL: 'http://127.0.0.1:1',
      ...options.env,
    });
    return openGateway(scope, config, { ...(options.limits ?? HTTP_LIMITS), waitedMs: PATIENT });
  };
  const { port, metricsPort } = await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (options.waitsForRedis ?? true) await untilTrue(() => scope.health.components()['redis']?.ok === true);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    metricsPort,
    scope,
    peers,
    close,
  };
}

const LIMITS_OFF = JSON.stringify({
  'sdk.initialize': { network: 0, app_key: 0 },
  'ads.request': { session: 0, network: 0, app_key: 0 },
  events: { network: 0, request_id: 0 },
  'events.fallback': { session: 0, network: 0 },
  creatives: { network: 0 },
  login: { network: 0 },
});

/** A gateway without limits and an emptied Redis, for tests that send many requests. */
export async function openGatewayWithoutLimits(): Promise<TestGateway> {
  const { redis } = await openTestRedis();
  redis.disconnect();
  return openTestGateway({ env: { RATE_LIMITS: LIMITS_OFF } });
}

/** Handlers that read the peers at each call, so that tests can change them. */
function forward<H extends object>(handlers: H): H {
  return new Proxy(handlers, {
    get: (target, name) => (request: unknown, call: unknown) =>
      (Reflect.get(target, name) as (...args: unknown[]) => unknown)(request, call),
  });
}

/** Polls until a condition holds; fails after five seconds. */
export async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 250; i += 1) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error('it did not become true');
}

/** Handlers of one service. */
export type { Handlers };
