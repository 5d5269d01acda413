import { credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { SessionServiceClient, SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { appError, AppError, PUBLIC_ERROR_CODES, type ErrorCode } from '../process/errors.js';
import { makeTestScope, type TestScope } from '../testing/index.js';
import type { CallContext } from './call-context.js';
import { openGrpcClient } from './client.js';
import { implementService, type RpcClient } from './definitions.js';
import { HealthCheckService } from './health-check.js';
import { openGrpcServer } from './server.js';

const REQUEST = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const RESPONSE = {
  sessionToken: 'token',
  sessionExpiresAtMs: 9_007_199_254_740_993n,
  config: undefined,
  placements: [],
};
type Handler = (request: typeof REQUEST, call: CallContext) => Promise<typeof RESPONSE>;

async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(AppError);
  return error as AppError;
}

describe('gRPC', () => {
  let scope: TestScope;
  let port: number;
  let handler: Handler;
  let client: RpcClient<SessionServiceService>;

  beforeEach(async () => {
    scope = makeTestScope();
    handler = () => Promise.resolve(RESPONSE);
    const startSession: Handler = (request, call) => handler(request, call);
    const services = [implementService(SessionServiceService, { startSession })];
    ({ port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services }));
    client = openGrpcClient(scope, SessionServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'session-service',
    });
  });

  afterEach(() => scope.close());

  it('transmits requests and answers, with exact 64-bit numbers', async () => {
    const seen: unknown[] = [];
    handler = (request, call) => {
      seen.push(request, call.requestId);
      return Promise.resolve(RESPONSE);
    };
    expect(await client.startSession(REQUEST, { requestId: 'req_1' })).to.deep.equal(RESPONSE);
    expect(seen[0]).to.include(REQUEST);
    expect(seen[1]).to.equal('req_1');
  });

  for (const code of [
    ...PUBLIC_ERROR_CODES,
    'conflict',
    'not_found',
    'unavailable',
    'failed_precondition',
  ] as ErrorCode[]) {
    it(`transmits the error ${code} unchanged, without its cause`, async () => {
      const fields = { body: ['is ü wrong'], 'a.b': ['1', '2'] };
      handler = () =>
        Promise.reject(appError(code, 'Nö.', { fields, retryAfterSeconds: 7, cause: new Error('inside') }));
      const error = await failureOf(client.startSession(REQUEST));
      expect(error).to.include({ code, publicText: 'Nö.', retryAfterSeconds: 7 });
      expect(error.fields).to.deep.equal(fields);
      expect((error.cause as Error).message).to.not.include('inside');
    });
  }

  it('turns any other error into server_error and hides its text', async () => {
    handler = () => Promise.reject(new TypeError('secret detail'));
    const error = await failureOf(client.startSession(REQUEST));
    expect(error.code).to.equal('server_error');
    expect(JSON.stringify([error.publicText, error.message])).to.not.include('secret');
  });

  it('transmits an error with very many faults', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`campaigns[${i}].bid_cpm`, ['is wrong']]),
    );
    handler = () => Promise.reject(appError('validation_failed', 'Wrong.', { fields }));
    const error = await failureOf(client.startSession(REQUEST));
    expect(error.code).to.equal('validation_failed');
    expect(Object.keys(error.fields ?? {}).length).to.be.greaterThan(10);
  });

  it('transmits an error with a very long text', async () => {
    handler = () => Promise.reject(appError('conflict', 'ü'.repeat(100_000)));
    const error = await failureOf(client.startSession(REQUEST));
    expect(error.code).to.equal('conflict');
    expect(error.publicText).to.match(/^ü{1000}$/);
  });

  it('passes the deadline on, minus the reserve of the hop', async () => {
    let left = 0;
    handler = (_request, call) => {
      left = call.deadlineAt - Date.now();
      return Promise.resolve(RESPONSE);
    };
    await client.startSession(REQUEST, { deadlineAt: Date.now() + 500 });
    expect(left).to.be.within(300, 495);
    await client.startSession(REQUEST);
    expect(left).to.be.within(1_700, 2_000);
  });

  it('makes no call when too little time is left', async () => {
    let calls = 0;
    handler = () => {
      calls += 1;
      return Promise.resolve(RESPONSE);
    };
    const error = await failureOf(client.startSession(REQUEST, { deadlineAt: Date.now() + 20 }));
    expect(error.code).to.equal('deadline_exceeded');
    expect(calls).to.equal(0);
  });

  it('waits for a slow peer until the deadline and no longer', async () => {
    handler = () => new Promise(() => undefined);
    const startedAt = performance.now();
    const error = await failureOf(client.startSession(REQUEST, { deadlineAt: Date.now() + 120 }));
    expect(error.code).to.equal('deadline_exceeded');
    expect(performance.now() - startedAt).to.be.below(2_000);
  });

  it('reports that a missing peer cannot be reached', async () => {
    const nobody = openGrpcClient(scope, SessionServiceService, {
      address: '127.0.0.1:1',
      name: 'session-service',
    });
    const error = await failureOf(nobody.startSession(REQUEST));
    expect(error.code).to.equal('unavailable');
    expect(error.publicText).to.include('session-service');
  });

  describe('with a peer that accepts the connection and then sends nothing', () => {
    let sink: Server;
    const sockets = new Set<Socket>();

    beforeEach(async () => {
      sink = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
      });
      await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    });

    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => sink.close(resolve));
    });

    it('fails within the budget, with any deadline of the caller', async () => {
      const address = `127.0.0.1:${(sink.address() as AddressInfo).port}`;
      const frozen = openGrpcClient(scope, SessionServiceService, {
        address,
        name: 'session-service',
        budgetMs: 150,
      });
      const startedAt = performance.now();
      const error = await failureOf(frozen.startSession(REQUEST));
      expect(error.code).to.be.oneOf(['deadline_exceeded', 'unavailable']);
      expect(performance.now() - startedAt).to.be.below(1_500);
    });
  });

  it('reaches a peer again soon after it has restarted', async () => {
    const peerScope = makeTestScope();
    const services = [
      implementService(SessionServiceService, { startSession: () => Promise.resolve(RESPONSE) }),
    ];
    const peer = await openGrpcServer(peerScope, { host: '127.0.0.1', port: 0, services });
    const peerClient = openGrpcClient(scope, SessionServiceService, {
      address: `127.0.0.1:${peer.port}`,
      name: 'peer',
    });
    await peerClient.startSession(REQUEST);
    await peerScope.close();
    expect((await failureOf(peerClient.startSession(REQUEST))).code).to.equal('unavailable');
    const again = makeTestScope();
    await openGrpcServer(again, { host: '127.0.0.1', port: peer.port, services });
    const startedAt = performance.now();
    for (;;) {
      try {
        await peerClient.startSession(REQUEST);
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    expect(performance.now() - startedAt).to.be.below(5_000);
    await again.close();
  });

  it('refuses a call that arrives with too little time to begin', async () => {
    const raw = new SessionServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await client.startSession(REQUEST);
    await new Promise<void>((resolve) => raw.waitForReady(Date.now() + 2_000, () => resolve()));
    const error = await new Promise<ServiceError | null>((resolve) =>
      raw.startSession(REQUEST, new Metadata(), { deadline: Date.now() + 10 }, (failure) => resolve(failure)),
    );
    raw.close();
    expect(error?.code).to.equal(4);
  });

  it('serves reflection, and health that follows readiness', async () => {
    const tools = openTools(`127.0.0.1:${port}`);
    const asked = openGrpcClient(scope, HealthCheckService, { address: `127.0.0.1:${port}`, name: 'peer' });
    expect(await tools.health()).to.equal('NOT_SERVING');
    expect((await asked.check({ service: '' })).status).to.equal('NOT_SERVING');
    scope.health.register('part').set(true);
    expect(await tools.health()).to.equal('SERVING');
    expect((await asked.check({ service: '' })).status).to.equal('SERVING');
    expect(await tools.reflect()).to.include('placard.session.v1.SessionService');
  });

  it('counts calls by outcome on both sides', async () => {
    await client.startSession(REQUEST);
    handler = () => Promise.reject(appError('invalid_app_key', 'No.'));
    await failureOf(client.startSession(REQUEST));
    const text = await scope.metrics.metrics();
    for (const line of [
      'placard_rpc_client_seconds_count{peer="session-service",method="startSession",outcome="ok"} 1',
      'placard_rpc_client_seconds_count{peer="session-service",method="startSession",outcome="invalid_app_key"} 1',
      'placard_rpc_server_seconds_count{method="startSession",outcome="ok"} 1',
    ]) {
      expect(text).to.include(line);
    }
  });

  it('finishes running calls when the process stops', async () => {
    let release: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      handler = async () => {
        resolve();
        await new Promise<void>((go) => {
          release = go;
        });
        return RESPONSE;
      };
    });
    const peerScope = makeTestScope();
    const peerClient = openGrpcClient(peerScope, SessionServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'peer',
    });
    const call = peerClient.startSession(REQUEST);
    await begun;
    const closed = scope.close();
    setTimeout(() => release(), 50);
    expect(await call).to.deep.equal(RESPONSE);
    await closed;
    await peerScope.close();
  });
});

/** The calls of an operator's tools: a health check, and a list of the services. */
function openTools(address: string) {
  const require = createRequire(import.meta.url);
  const healthProto = require('grpc-health-check') as { protoPath: string };
  const reflectionRoot = dirname(require.resolve('@grpc/reflection'));
  const packages = loadPackageDefinition(
    loadSync([healthProto.protoPath, join(reflectionRoot, '../proto/grpc/reflection/v1/reflection.proto')], {
      enums: String,
    }),
  );
  interface Tools {
    readonly health: { v1: { Health: new (...args: unknown[]) => UntypedClient } };
    readonly reflection: { v1: { ServerReflection: new (...args: unknown[]) => UntypedClient } };
  }
  interface UntypedClient {
    check(request: object, done: (error: Error | null, response: { status: string }) => void): void;
    serverReflectionInfo(): NodeJS.ReadWriteStream;
    close(): void;
  }
  const tools = packages['grpc'] as unknown as Tools;
  return {
    health: () =>
      new Promise<string>((resolve, reject) => {
        const tool = new tools.health.v1.Health(address, credentials.createInsecure());
        tool.check({ service: '' }, (error, response) => {
          tool.close();
          if (error === null) resolve(response.status);
          else reject(error);
        });
      }),
    reflect: () =>
      new Promise<string[]>((resolve, reject) => {
        const tool = new tools.reflection.v1.ServerReflection(address, credentials.createInsecure());
        const stream = tool.serverReflectionInfo();
        stream.on('error', reject);
        stream.on('data', (message: { listServicesResponse: { service: { name: string }[] } }) => {
          resolve(message.listServicesResponse.service.map((service) => service.name));
          stream.end();
          tool.close();
        });
        (stream as unknown as { write(message: object): void }).write({ listServices: '*' });
      }),
  };
}
