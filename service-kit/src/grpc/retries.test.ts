import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isRetried, RULED_PATHS } from './retries.js';

/** The service that carries frames. */
const CARRIER = '/placard.batch.v1.BatchService/';

interface Method {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

function unaryPaths(): readonly string[] {
  const image = createRequire(import.meta.url).resolve('@placard/protos/image.binpb');
  const all = Object.values(loadFileDescriptorSetFromBuffer(readFileSync(image)));
  return all
    .flatMap((each) => Object.values(each) as Method[])
    .filter(({ path, requestStream, responseStream }) => {
      if (typeof path !== 'string' || !path.startsWith('/placard.') || path.startsWith(CARRIER)) return false;
      return !requestStream && !responseStream;
    })
    .map(({ path }) => path);
}

describe('retries of calls', () => {
  it('have a rule for every unary method of every service, and for nothing else', () => {
    expect([...RULED_PATHS].sort()).to.deep.equal([...unaryPaths()].sort());
  });

  it('never repeat an event or an ad request whose answer was lost', () => {
    const once = RULED_PATHS.filter((path) => !isRetried(path)).map((path) => path.split('/')[2]);
    expect(once).to.include.members([
      'RequestAd',
      'RecordImpression',
      'RecordClick',
      'RecordReward',
      'RecordFallback',
    ]);
  });

  it('never repeat a method without a rule', () => {
    expect(isRetried('/placard.other.v1.OtherService/Other')).to.equal(false);
  });
});
