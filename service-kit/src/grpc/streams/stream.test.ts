import { CatalogServiceService, type WatchResponse } from '@placard/protos/catalog/v1/catalog.js';
import { expect } from 'chai';
import { appError } from '../../process/errors.js';
import { makeTestScope, testHeartbeat, type TestScope } from '../../testing/index.js';
import { openGrpcClient } from '../client.js';
import { implementService, type ResponseStream, type RpcClient } from '../definitions.js';
import { openGrpcServer } from '../server.js';

type Handler = (stream: ResponseStream<WatchResponse>) => Promise<void>;
const REQUEST = { afterVersion: 0n, reader: 'test' };

describe('gRPC streams', () => {
  let scope: TestScope;
  let handler: Handler;
  let client: RpcClient<CatalogServiceService>;
  let stop: AbortController;

  beforeEach(async () => {
    scope = makeTestScope();
    stop = new AbortController();
    const services = [
      implementService(CatalogServiceService, { watch: (_request, stream) => handler(stream) }),
    ];
    const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services });
    client = openGrpcClient(scope, CatalogServiceService, { address: `127.0.0.1:${port}`, name: 'console' });
  });
  afterEach(() => scope.close());

  async function read(): Promise<number> {
    let count = 0;
    for await (const message of client.watch(REQUEST, stop.signal)) {
      expect(message.event?.$case).to.equal('heartbeat');
      count += 1;
    }
    return count;
  }

  it('deliver every message, even to a slow reader, and end when the handler returns', async () => {
    let waits = 0;
    handler = async (stream) => {
      for (let version = 0; version < 5_000; version += 1) {
        if (stream.write(testHeartbeat(version))) continue;
        waits += 1;
        await stream.drained();
      }
    };
    expect(await read()).to.equal(5_000);
    expect(waits).to.be.greaterThan(0);
  });

  it('transmit the error of the handler', async () => {
    handler = async (stream) => {
      stream.write(testHeartbeat(1));
      await Promise.resolve();
      throw appError('failed_precondition', 'Not now.');
    };
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'failed_precondition', publicText: 'Not now.' });
  });

  it('end on both sides when the reader stops reading', async () => {
    const closed = new Promise<void>((resolve) => {
      handler = async (stream) => {
        stream.write(testHeartbeat(1));
        await new Promise<void>((go) => stream.closed.addEventListener('abort', () => go(), { once: true }));
        resolve();
      };
    });
    for await (const message of client.watch(REQUEST, stop.signal)) {
      expect(message.event?.$case).to.equal('heartbeat');
      stop.abort();
    }
    await closed;
  });

  it('are refused while the serving process stops, so that it can close', async () => {
    handler = () => Promise.reject(new Error('must not be called'));
    scope.stop();
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'unavailable' });
  });

  it('end when the serving process stops', async () => {
    let isClosed = false;
    const begun = new Promise<void>((resolve) => {
      handler = async (stream) => {
        resolve();
        await new Promise<void>((go) => stream.closed.addEventListener('abort', () => go(), { once: true }));
        isClosed = true;
      };
    });
    const reading = read().catch((thrown: unknown) => thrown);
    await begun;
    await scope.close();
    await reading;
    expect(isClosed).to.equal(true);
  });
});
