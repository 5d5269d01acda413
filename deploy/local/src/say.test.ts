import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SAY = fileURLToPath(new URL('./say.ts', import.meta.url));

describe('the output of a start', () => {
  it('shows control characters in texts of files, arguments and processes as escapes', () => {
    const script = `const say = (await import('${SAY}')).makeSay();
      const evil = '\\u001b[2K\\u009b1A\\u202e\\r';
      say.info(evil); say.warn('a\\nb' + evil); say.from('gateway', evil);`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', '--input-type=module', '-e', script],
      { encoding: 'utf8' },
    );
    const shown = String.raw`\u001b[2K\u009b1A\u202e\r`;
    expect({ stdout, stderr }).to.deep.equal({
      stdout: `${shown}\n! a\nb${shown}\n! gateway: ${shown}\n`,
      stderr: '',
    });
  });
});
