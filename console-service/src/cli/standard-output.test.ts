import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { toFile, toStream } from './standard-output.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const FULL = '/dev/full';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: no`), { code });
}

describe('the output of a command', () => {
  it('is written to a file completely, however little each write takes', async () => {
    let file = '';
    const output = toFile((bytes) => {
      file += Buffer.from(bytes.subarray(0, 3)).toString('latin1');
      return Math.min(3, bytes.length);
    });
    output.write('abcdefgh\n');
    output.write('i\n');
    expect(await output.end()).to.equal(null);
    expect(file).to.equal('abcdefgh\ni\n');
  });

  it('reports a fault when the disk becomes full, and writes nothing more', async () => {
    let room = 5;
    const output = toFile((bytes) => {
      if (room === 0) throw systemError('ENOSPC');
      const count = Math.min(room, bytes.length);
      room -= count;
      return count;
    });
    output.write('abcdefgh\n');
    room = 100;
    output.write('i\n');
    expect(await output.end()).to.equal('ENOSPC: no');
    expect(room).to.equal(100);
  });

  for (const [code, fault] of [
    ['EIO', 'EIO: no'],
    ['EPIPE', null],
  ] as const) {
    it(`to a stream that fails with ${code} ${fault === null ? 'ends quietly' : 'reports a fault'}`, async () => {
      const output = toStream(new Writable({ write: (_chunk, _encoding, done) => done(systemError(code)) }));
      output.write('a\n');
      output.write('b\n');
      expect(await output.end()).to.equal(fault);
    });
  }

  it('that cannot be written gives exit status 1 and one line on standard error', async function () {
    if (!existsSync(FULL)) return this.skip();
    const full = openSync(FULL, 'w');
    const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', MAIN, '--help'], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const exited = new Promise((resolve) => child.once('close', resolve));
    const { stderr } = child;
    if (stderr === null) throw new Error('there is no standard error');
    expect(await text(stderr)).to.match(/^placard: standard output cannot be written: ENOSPC[^\n]*\n$/);
    expect(await exited).to.equal(1);
  });
});
