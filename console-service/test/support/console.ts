import { fileURLToPath } from 'node:url';
import { CatalogServiceService, type WatchResponse } from '@placard/protos/catalog/v1/catalog.js';
import type { PostCallbackOptions } from '@placard/service-kit/callbacks';
import { openGrpcClient, type RpcClient } from '@placard/service-kit/grpc';
import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { openTestDatabase, openTestRedis, type TestDatabase } from '@placard/service-kit/testing/stores';
import { openApp, type ConsolePorts } from '../../src/app.js';
import { readConsoleConfig } from '../../src/config.js';
import { resolveTestHost } from './open-catalog.js';
import { openFakeEvents, type FakeEvents } from './fake-events.js';
import { ADMIN_KEY, makeApi, makeManageClient, type ManageClient } from './manage-client.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** A console-service with its database and a stand-in for events-service. */
export interface TestConsole {
  readonly db: TestDatabase;
  readonly events: FakeEvents;
  readonly scope: TestScope;
  readonly ports: ConsolePorts;
  readonly client: ManageClient;
  /** The environment of a command that finds this console-service. */
  readonly commandEnv: NodeJS.ProcessEnv;
  /** Another console-service on the same database. */
  openReplica(): Promise<ConsolePorts>;
  /** Follows the catalog from `afterVersion`, at the first console-service unless a port is given. */
  watch(afterVersion: number, port?: number): TestWatch;
  close(): Promise<void>;
}

/** The messages of one stream, without heartbeats except in `heartbeat`. */
export interface TestWatch {
  next(): Promise<NonNullable<WatchResponse['event']>>;
  nextHeartbeat(): Promise<bigint>;
  /** Reads a whole snapshot; returns its version and number of objects. */
  snapshot(): Promise<{ readonly version: number; readonly objects: number }>;
  stop(): void;
}

/** Opens everything in this process. `callbacks`: which addresses webhooks and callbacks may have. */
export async function openTestConsole(
  callbacks: PostCallbackOptions = { resolve: resolveTestHost },
): Promise<TestConsole> {
  const db = await openTestDatabase({ migrations: [{ schema: 'catalog', dir: MIGRATIONS }] });
  const { redis, url: redisUrl } = await openTestRedis();
  redis.disconnect();
  const eventsScope = makeTestScope({ name: 'events-service' });
  const events = await openFakeEvents(eventsScope);
  const scopes: TestScope[] = [];
  const openOne = async (): Promise<{ scope: TestScope; ports: ConsolePorts }> => {
    const scope = makeTestScope({ name: 'console-service' });
    scopes.push(scope);
    const config = readConsoleConfig({
      HOST: '127.0.0.1',
      GRPC_PORT: '0',
      MANAGE_PORT: '0',
      BOOTSTRAP_KEY: ADMIN_KEY,
      METRICS_PORT: '0',
      HTTP_PORT: '0',
      DATABASE_URL: db.url,
      REDIS_URL: redisUrl,
      EVENTS_SERVICE_ADDRESS: events.address,
      EVENTS_SERVICE_WRITE_ADDRESS: events.writeAddress,
      SERVING_SERVICE_ADDRESS: events.address,
    });
    return { scope, ports: await openApp(scope, config, callbacks) };
  };
  const { scope, ports } = await openOne();
  const watches: TestWatch[] = [];
  const clients = makeTestScope({ name: 'clients' });
  return {
    db,
    events,
    scope,
    ports,
    client: makeManageClient(makeApi(ports.managePort)),
    commandEnv: { PLACARD_ADDRESS: `127.0.0.1:${ports.managePort}`, PLACARD_KEY: ADMIN_KEY },
    openReplica: async () => (await openOne()).ports,
    watch(afterVersion, port = ports.grpcPort) {
      const reader = openGrpcClient(clients, CatalogServiceService, {
        address: `127.0.0.1:${port}`,
        name: 'console-service',
      });
      const watch = follow(reader, afterVersion);
      watches.push(watch);
      return watch;
    },
    async close() {
      for (const watch of watches) watch.stop();
      await clients.close();
      for (const one of scopes) await one.close();
      await eventsScope.close();
      await db.drop();
    },
  };
}

function follow(reader: RpcClient<CatalogServiceService>, afterVersion: number): TestWatch {
  const stopped = new AbortController();
  const stream = reader.watch({ afterVersion: BigInt(afterVersion), reader: 'test' }, stopped.signal);
  const messages: AsyncIterator<WatchResponse, unknown> = stream[Symbol.asyncIterator]();
  const any = async (): Promise<NonNullable<WatchResponse['event']>> => {
    const message = await messages.next();
    if (message.done === true || message.value.event === undefined) throw new Error('the stream ended');
    return message.value.event;
  };
  const next = async (): Promise<NonNullable<WatchResponse['event']>> => {
    for (;;) {
      const event = await any();
      if (event.$case !== 'heartbeat') return event;
    }
  };
  return {
    next,
    async nextHeartbeat() {
      const event = await any();
      if (event.$case !== 'heartbeat') throw new Error(`expected a heartbeat and not ${event.$case}`);
      return event.value.version;
    },
    async snapshot() {
      const first = await next();
      if (first.$case !== 'snapshotStart') throw new Error(`expected a snapshot and not ${first.$case}`);
      for (let objects = 0; ;) {
        const event = await next();
        if (event.$case === 'snapshotEnd') return { version: Number(event.value.version), objects };
        if (event.$case === 'changes') objects += event.value.upserts.length;
      }
    },
    stop: () => stopped.abort(),
  };
}
