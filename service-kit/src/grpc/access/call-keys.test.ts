import { CatalogServiceService, WatchRequest } from '@placard/protos/catalog/v1/catalog.js';
import {
  GetStatementRequest,
  GetStatementResponse,
  LedgerServiceService,
  RecordDepositRequest,
  RecordDepositResponse,
} from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeTestAuthority } from '../../testing/certificates.js';
import { codeOf, makeTestScope, type TestScope } from '../../testing/index.js';
import { PLAIN_RPC, type RpcSettings } from '../../process/rpc-settings.js';
import { openGrpcClient } from '../client.js';
import type { ImplementedService } from '../definitions.js';
import { openGrpcServer, type WritingPorts } from '../server.js';
import type { CallKeys } from './call-keys.js';

const NOTHING = new Uint8Array();
const READ_KEY = 'a'.repeat(64);
const WRITE_KEY = 'b'.repeat(64);
const KEYS: CallKeys = { CATALOG_READ_KEY: READ_KEY, LEDGER_WRITE_KEY: WRITE_KEY };

const services: readonly ImplementedService[] = [
  {
    definition: LedgerServiceService,
    handlers: {
      recordDeposit: () => Promise.resolve(RecordDepositResponse.decode(NOTHING)),
      getStatement: () => Promise.resolve(GetStatementResponse.decode(NOTHING)),
    },
  },
  { definition: CatalogServiceService, handlers: { watch: () => Promise.resolve() } },
];

describe('a server that wants keys', () => {
  const scopes: TestScope[] = [];
  afterEach(async () => {
    for (const scope of scopes.splice(0).reverse()) await scope.close();
  });

  const open = async (keys: CallKeys, rpc: RpcSettings = PLAIN_RPC) => {
    const scope = makeTestScope({ rpc });
    scopes.push(scope);
    const host = '127.0.0.1';
    const ports = await openGrpcServer(scope, { host, port: 0, writePort: 0, services, keys });
    scope.health.register('all').set(true);
    return { scope, ports };
  };
  const openCalls = (ports: WritingPorts, key?: string, rpc: RpcSettings = PLAIN_RPC) => {
    const scope = makeTestScope({ rpc });
    scopes.push(scope);
    const at = (port: number) => ({
      address: `127.0.0.1:${port}`,
      name: 'peer',
      service: 'events-service',
      key,
    });
    const writer = openGrpcClient(scope, LedgerServiceService, at(ports.writePort));
    const reader = openGrpcClient(scope, LedgerServiceService, at(ports.port));
    const catalog = openGrpcClient(scope, CatalogServiceService, at(ports.port));
    return {
      write: () => codeOf(writer.recordDeposit(RecordDepositRequest.decode(NOTHING))),
      read: () => codeOf(reader.getStatement(GetStatementRequest.decode(NOTHING))),
      watch: () =>
        codeOf(async () => {
          const stream = catalog.watch(WatchRequest.decode(NOTHING), new AbortController().signal);
          for await (const _ of stream) return;
        }),
    };
  };

  it('answers a method to callers with its key only, and other methods to everyone', async () => {
    const { scope, ports } = await open(KEYS);
    const stranger = openCalls(ports);
    expect(await stranger.write()).to.equal('permission_denied');
    expect(await stranger.watch()).to.equal('permission_denied');
    expect(await stranger.read()).to.equal(null);
    const metrics = await scope.metrics.metrics();
    for (const method of ['LedgerService/RecordDeposit', 'CatalogService/Watch'])
      expect(metrics).to.include(`placard_rpc_refused_total{method="${method}",caller="keyless"} 1`);
    expect(await openCalls(ports, WRITE_KEY).write()).to.equal(null);
    expect(await openCalls(ports, READ_KEY).watch()).to.equal(null);
  });

  it('refuses the key of another method', async () => {
    const { ports } = await open(KEYS);
    expect(await openCalls(ports, READ_KEY).write()).to.equal('permission_denied');
    expect(await openCalls(ports, WRITE_KEY).watch()).to.equal('permission_denied');
  });

  it('answers everyone where a key is not set, as earlier releases did', async () => {
    const { ports } = await open({ LEDGER_WRITE_KEY: WRITE_KEY, CATALOG_READ_KEY: undefined });
    const stranger = openCalls(ports);
    expect(await stranger.watch()).to.equal(null);
    expect(await stranger.write()).to.equal('permission_denied');
  });

  it('judges by certificates alone when it has one', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-keys-'));
    const authority = await makeTestAuthority();
    const rpcOf = async (name: string): Promise<RpcSettings> => {
      const tls = await authority.issueTo(path.join(folder, name), { names: [name] });
      return { tls, hasReflection: false };
    };
    const { ports } = await open(KEYS, await rpcOf('events-service'));
    expect(await openCalls(ports, undefined, await rpcOf('console-service')).write()).to.equal(null);
    expect(await openCalls(ports, WRITE_KEY, await rpcOf('gateway')).write()).to.equal('permission_denied');
    rmSync(folder, { recursive: true });
  });
});
