import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { HELP } from './options.js';

describe('the load command', () => {
  it('prints its help on standard error and fails without a command', () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', main],
      { encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).to.deep.equal({ status: 2, stdout: '', stderr: `${HELP}\n` });
  });
});
