import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runPhones } from './command.js';
import { HELP } from './options.js';

/** Runs the command; returns its status and what it printed. */
async function run(...argv: readonly string[]) {
  let [out, err] = ['', ''];
  const status = await runPhones(argv, {
    env: {},
    screen: { write: (text) => (out += text) },
    err: (text) => (err += text),
    stopping: new AbortController().signal,
  });
  return { status, out, err };
}

describe('the command of the phones', () => {
  it('prints its help on request', async () => {
    expect(await run('--help')).to.deep.equal({ status: 0, out: `${HELP}\n`, err: '' });
  });

  it('refuses a wrong argument in one line, with status 2', async () => {
    const { status, out, err } = await run('--speed', 'fast');
    expect({ status, out }).to.deep.equal({ status: 2, out: '' });
    expect(err).to.match(/^--speed: .*\n$/);
  });

  it('says that no instance runs and how to start one, with status 1', async () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'placard-phones-'));
    const { status, err } = await run('--data', empty);
    rmSync(empty, { recursive: true });
    expect(status).to.equal(1);
    expect(err).to.match(/^phones: no instance is running .*npm start.*--data DIR\.\n$/);
  });
});
