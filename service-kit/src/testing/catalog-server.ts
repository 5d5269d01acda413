import {
  CatalogServiceService,
  type ChangeSet,
  type WatchRequest,
  type WatchResponse,
} from '@placard/protos/catalog/v1/catalog.js';
import { listObjects } from '../catalog-reader/make-catalog.js';
import { objectToWire } from '../catalog-reader/wire.js';
import { implementService } from '../grpc/definitions.js';
import { openGrpcServer } from '../grpc/server.js';
import type { CatalogObjects } from '../pure/index.js';
import type { Scope } from '../process/scope.js';

/** The stream of one reader. The test writes to it. */
export interface TestCatalogStream {
  readonly request: WatchRequest;
  send(...messages: readonly WatchResponse[]): void;
  /** Ends it, as a stopping server does. */
  end(): void;
}

/** A fake of console-service's catalog stream. It sends what the test writes. */
export interface TestCatalogServer {
  readonly address: string;
  readonly port: number;
  /** The next stream that a reader opens, in the order of opening. */
  nextStream(): Promise<TestCatalogStream>;
}

/** Opens a fake on a free port, or on `port`. */
export async function openTestCatalogServer(scope: Scope, port = 0): Promise<TestCatalogServer> {
  const opened: TestCatalogStream[] = [];
  const waiting: ((stream: TestCatalogStream) => void)[] = [];
  const service = implementService(CatalogServiceService, {
    watch: async (request, stream) => {
      const ended = new Promise<void>((resolve) => {
        stream.closed.addEventListener('abort', () => resolve(), { once: true });
        const handle: TestCatalogStream = {
          request,
          send: (...messages) => messages.forEach((message) => void stream.write(message)),
          end: resolve,
        };
        const taker = waiting.shift();
        if (taker === undefined) opened.push(handle);
        else taker(handle);
      });
      await ended;
    },
  });
  const bound = await openGrpcServer(scope, { host: '127.0.0.1', port, services: [service] });
  return {
    address: `127.0.0.1:${bound.port}`,
    port: bound.port,
    nextStream: () => {
      const stream = opened.shift();
      return stream === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(stream);
    },
  };
}

/** The messages of a snapshot of these objects. */
export function testSnapshot(version: number, objects: Partial<CatalogObjects>): WatchResponse[] {
  return [
    { event: { $case: 'snapshotStart', value: {} } },
    testChanges(0, objects),
    { event: { $case: 'snapshotEnd', value: { version: BigInt(version) } } },
  ];
}

/** The message of a change. */
export function testChanges(
  version: number,
  objects: Partial<CatalogObjects>,
  deletions: ChangeSet['deletions'] = [],
): WatchResponse {
  const upserts = listObjects(objects).map(objectToWire);
  return { event: { $case: 'changes', value: { version: BigInt(version), upserts, deletions } } };
}

/** The message of a heartbeat. */
export function testHeartbeat(version: number): WatchResponse {
  return { event: { $case: 'heartbeat', value: { version: BigInt(version) } } };
}
