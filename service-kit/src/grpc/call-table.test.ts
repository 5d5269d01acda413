import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { expect } from 'chai';
import { service as healthService } from 'grpc-health-check';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CALLERS } from './access/callers.js';
import { CALL_TABLE, isOnWritePort, isRetried, kindOf, ruleOf, type CallRule } from './call-table.js';

const REFLECTION = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
];

function pathsOfContracts(): readonly string[] {
  const image = createRequire(import.meta.url).resolve('@placard/protos/image.binpb');
  const all = Object.values(loadFileDescriptorSetFromBuffer(readFileSync(image)));
  return all
    .flatMap((each) => Object.values(each) as { readonly path?: unknown }[])
    .map(({ path }) => path)
    .filter((path): path is string => typeof path === 'string' && path.startsWith('/placard.'));
}

const DOCUMENT = new URL('../../../docs/architecture.md', import.meta.url);
/** A row of the document: method, port, callers. */
const ROW = /^\| `[A-Za-z]+\/[A-Za-z]+` \| `(?:WRITE_)?GRPC_PORT` \|.*$/gm;

function rowOf({ path, callers, isOnWritePort: isWriting }: CallRule): string {
  const method = path.slice(path.lastIndexOf('.') + 1);
  const names = callers.length === CALLERS.length ? 'every holder' : callers.join(', ');
  return `| \`${method}\` | \`${isWriting ? 'WRITE_GRPC_PORT' : 'GRPC_PORT'}\` | ${names} |`;
}

describe('the table of calls', () => {
  it('has each method of each contract exactly once, those of health and reflection, and nothing else', () => {
    const health = Object.values(healthService).map(({ path }) => path);
    const expected = [...pathsOfContracts(), ...health, ...REFLECTION];
    expect(CALL_TABLE.map(({ path }) => path).sort()).to.deep.equal(expected.sort());
  });

  it('is the one that docs/architecture.md prints', () => {
    const rows = [...readFileSync(DOCUMENT, 'utf8').matchAll(ROW)].map(([row]) => row);
    expect(rows).to.deep.equal([...new Set(CALL_TABLE.map(rowOf))]);
  });

  it('names a caller for each method, and each caller once', () => {
    for (const { path, callers } of CALL_TABLE) {
      expect(callers.length, path).to.be.greaterThan(0);
      expect(new Set(callers).size, path).to.equal(callers.length);
    }
  });

  it('lets nobody but console-service and operators change the books or the catalog, on ports of their own', () => {
    const writing = CALL_TABLE.filter(({ path }) => isOnWritePort(path));
    expect(writing.map(({ path }) => path.split('/')[2])).to.deep.equal([
      'RecordDeposit',
      'RecordAdjustment',
      'RecordTransfer',
      'CloseMonth',
    ]);
    for (const { path, callers } of writing)
      expect(['console-service', 'operator'], path).to.include.members([...callers]);
  });

  it('lets nobody call a method that it does not have', () => {
    expect(ruleOf('/placard.events.v1.LedgerService/DropLedger')).to.equal(undefined);
  });

  it('never repeats an event or an ad request whose answer was lost', () => {
    const once = CALL_TABLE.filter(({ path }) => !isRetried(path)).map(({ path }) => path.split('/')[2]);
    expect(once).to.include.members([
      'RequestAd',
      'RecordImpression',
      'RecordClick',
      'RecordReward',
      'RecordFallback',
    ]);
  });

  it('never repeats a method that it does not have', () => {
    expect(isRetried('/placard.other.v1.OtherService/Other')).to.equal(false);
  });

  it('never refuses calls that free or record money', () => {
    for (const method of [
      'serving.v1.ServingService/CommitReservations',
      'events.v1.SpendService/ExchangeLeases',
      'events.v1.LedgerService/RecordDeposit',
    ])
      expect(kindOf(`/placard.${method}`), method).to.equal(null);
  });

  it('puts events before ad requests and everything before reports', () => {
    expect(kindOf('/placard.events.v1.EventsService/RecordImpression')).to.equal('events');
    expect(kindOf('/placard.serving.v1.ServingService/RequestAd')).to.equal('ads');
    expect(kindOf('/placard.session.v1.SessionService/StartSession')).to.equal('sessions');
    expect(kindOf('/placard.events.v1.ReportService/GetReport')).to.equal('reports');
  });
});
