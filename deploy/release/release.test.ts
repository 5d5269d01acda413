import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

describe('npm run release', () => {
  for (const [args, fault] of [
    [['--nonsense'], "Unknown option '--nonsense'"],
    [[], 'name one version'],
  ] as const) {
    it(`with ${args.join(' ') || 'nothing'} prints the fault and how to get help`, () => {
      const script = fileURLToPath(new URL('release.ts', import.meta.url));
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).to.deep.equal({
        status: 1,
        stdout: '',
        stderr: `release: ${fault}. See: npm run release -- --help\n`,
      });
    });
  }
});
