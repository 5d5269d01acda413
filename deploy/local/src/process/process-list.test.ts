import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { StartError } from '../start-error.js';
import { takeInstanceLock } from './instance-lock.js';
import { identityOf } from './process-identity.js';
import { endListed, listedAlive, ProcessList } from './process-list.js';

const idle = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

const fail = (reason: string): never => {
  throw new Error(reason);
};

describe('processes of a data folder', () => {
  let dir = '';
  beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), 'placard-list-'))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it('are found and ended by the next start', async () => {
    const file = path.join(dir, 'processes.json');
    const child = idle();
    const exited = once(child, 'exit');
    new ProcessList(file, fail).add({ name: 'redis', kind: 'store', pid: child.pid!, stopSignal: 'SIGTERM' });
    expect(listedAlive(file).map(({ name }) => name)).to.deep.equal(['redis']);
    await endListed(file, ['store']);
    await exited;
    expect(listedAlive(file)).to.deep.equal([]);
  });

  it('are not confused with a later process that has the same id', async () => {
    const file = path.join(dir, 'processes.json');
    const entry = { name: 'redis', kind: 'store', pid: process.pid, identity: '1', stopSignal: 'SIGKILL' };
    writeFileSync(file, JSON.stringify([entry]));
    expect(listedAlive(file)).to.deep.equal([]);
    await endListed(file, ['store']);
  });

  it('leave no file when the last has ended', () => {
    const file = path.join(dir, 'processes.json');
    const list = new ProcessList(file, fail);
    list.add({ name: 'me', kind: 'service', pid: process.pid, stopSignal: 'SIGTERM' });
    expect(existsSync(file)).to.equal(true);
    list.remove(process.pid);
    expect(existsSync(file)).to.equal(false);
  });

  it('are listed again once their list can be written, with one warning until then', () => {
    const file = path.join(dir, 'processes.json');
    const said: string[] = [];
    const list = new ProcessList(file, (reason) => said.push(reason));
    const me = { name: 'me', kind: 'service', pid: process.pid, stopSignal: 'SIGTERM' } as const;
    for (let round = 1; round <= 2; round += 1) {
      rmSync(file, { force: true });
      // A folder has the path of the file.
      mkdirSync(path.join(file, 'in-the-way'), { recursive: true });
      list.add(me);
      list.remove(process.pid);
      list.add(me);
      expect(said).to.have.length(round);
      rmSync(file, { recursive: true });
      list.add(me);
      expect(listedAlive(file)[0]?.name).to.equal('me');
    }
  });

  it('have no identity after their end', async () => {
    const child = idle();
    expect(identityOf(child.pid!)).to.be.a('string');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identityOf(child.pid!)).to.equal(null);
  });
});

describe('the lock of a data folder', () => {
  let file = '';
  beforeEach(() => (file = path.join(mkdtempSync(path.join(tmpdir(), 'placard-lock-')), 'lock')));
  afterEach(() => rmSync(path.dirname(file), { recursive: true }));

  it('is held by one start, and a second one fails with a message', () => {
    const unlock = takeInstanceLock(file, '/data');
    expect(() => takeInstanceLock(file, '/data')).to.throw(
      StartError,
      /already runs on the data folder \/data/,
    );
    unlock();
    takeInstanceLock(file, '/data')();
  });

  for (const [name, text] of [
    ['a killed holder', '{"pid":1,"identity":"long ago"}'],
    ['a holder that wrote an empty file', ''],
    ['invalid content', '[]'],
  ] as const) {
    it(`of ${name} is taken over`, () => {
      writeFileSync(file, text);
      const unlock = takeInstanceLock(file, '/data');
      expect(readFileSync(file, 'utf8')).to.include(String(process.pid));
      unlock();
      expect(existsSync(file)).to.equal(false);
    });
  }
});
