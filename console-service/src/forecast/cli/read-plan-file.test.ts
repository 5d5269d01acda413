import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

describe('a planned campaign on standard input', () => {
  /** What the command says, in a process of its own, at an address without an instance. */
  const faultOf = (input: string): string =>
    spawnSync(process.execPath, ['--import', 'tsx', '--conditions=source', MAIN, 'forecast', '-'], {
      encoding: 'utf8',
      env: { ...process.env, PLACARD_ADDRESS: '127.0.0.1:9', PLACARD_KEY: 'plk_x' },
      input,
    }).stderr;

  it('is read like a file', () => {
    expect(faultOf('[]')).to.equal(
      'placard: standard input must be a mapping with bid_cpm, such as "bid_cpm: 2.50".\n',
    );
    expect(faultOf('bid_cpm: 2.50\n')).to.contain('the instance at 127.0.0.1:9 cannot be reached.');
  });
});
