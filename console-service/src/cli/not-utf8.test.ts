import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../test/support/run-command.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Shell code for a text in Latin-1. */
const LATIN_1 = String.raw`$(printf 'R\351f')`;

describe('input that is not UTF-8', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-utf8-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const fileOf = (name: string, ...parts: readonly (string | number)[]): string => {
    const file = path.join(folder, name);
    writeFileSync(
      file,
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))),
    );
    return file;
  };
  /** Runs the command in a shell, which can pass any bytes. */
  const inShell = (line: string) =>
    spawnSync('sh', ['-c', `exec "$NODE" --import tsx --conditions=source "$MAIN" ${line}`], {
      encoding: 'utf8',
      env: { ...process.env, NODE: process.execPath, MAIN, PLACARD_ADDRESS: '127.0.0.1:9' },
    });

  for (const [what, parts, place] of [
    ['a catalog in Latin-1', ['publishers:\n  - name: "R', 0xe9, 'f"\n'], 'line 2, byte 13'],
    ['a comment in Latin-1', ['# ', 0xe9, '\nglobal: {}\n'], 'line 1, byte 3'],
    ['JSON in Latin-1', ['{"global":{}, "a', 0xe9, '": 1}'], 'line 1, byte 17'],
    ['a catalog that is cut off', ['global: {}\r\n# ', 0xe2, 0x82], 'line 2, byte 3'],
  ] as const) {
    it(`such as ${what} is refused by validate and by apply, with the place`, async () => {
      const file = fileOf('bad.yaml', ...parts);
      for (const command of ['validate', 'apply']) {
        expect(await runCommand(['catalog', command, file])).to.deep.equal({
          status: 1,
          out: '',
          err: `placard: ${file} is not UTF-8: ${place} of that line. Save it as UTF-8 and try again.\n`,
        });
      }
    });
  }

  it('in a key ring is refused with the place, and its content is not shown', async () => {
    const ring = fileOf('ring', 'k1:', 'A'.repeat(43), 0xff, '\n');
    const { status, out, err } = await runCommand(['keys', 'rotate', '--file', ring]);
    expect({ status, out }).to.deep.equal({ status: 1, out: '' });
    expect(err)
      .to.contain(`the file ${ring} is not UTF-8: line 1, byte 47 of that line`)
      .and.to.not.contain('AAA');
  });

  for (const [args, place] of [
    [
      ['advertiser', 'deposit', 'adv_a', '1', '--reference', 'R\ufffdf'],
      'argument 6 is not UTF-8 at its character 2',
    ],
    [['catalog', 'validate', '\ufffd.yaml'], 'argument 3 is not UTF-8 at its character 1'],
    [['\ufffd'], 'argument 1 is not UTF-8 at its character 1'],
    [['catalog', 'export', '--data', '😀\ufffd'], 'argument 4 is not UTF-8 at its character 2'],
  ] as const) {
    it(`in the arguments ${JSON.stringify(args)} is refused`, async () => {
      const { status, out, err } = await runCommand(args);
      expect({ status, out }).to.deep.equal({ status: 1, out: '' });
      expect(err)
        .to.match(/^placard: [^\n]+\n$/)
        .and.to.contain(place);
    });
  }

  it('is found in the bytes of a real command line and of standard input', () => {
    const deposit = inShell(`advertiser deposit adv_a 1 --reference "${LATIN_1}"`);
    expect(deposit.status).to.equal(1);
    expect(deposit.stderr).to.match(/^placard: argument 6 is not UTF-8 at its character 2\. [^\n]+\n$/);
    const piped = inShell(String.raw`catalog validate /dev/stdin <<END
# ${LATIN_1}
END`);
    expect(piped.stderr).to.equal(
      'placard: /dev/stdin is not UTF-8: line 1, byte 4 of that line. Save it as UTF-8 and try again.\n',
    );
  });
});
