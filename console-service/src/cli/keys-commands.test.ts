import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../test/support/run-command.js';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const RING = `k1:${Buffer.alloc(32).toString('base64url')}\n`;

describe('placard keys rotate --file', () => {
  let folder: string;
  let ring: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-keys-'));
    ring = path.join(folder, 'ring');
    writeFileSync(ring, RING);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const rotate = (...files: readonly string[]) => runCommand(['keys', 'rotate', '--file', ...files]);
  const keysOf = (file: string) => readFileSync(file, 'utf8').split(',').length;

  it('adds one key, and leaves no other file behind', async () => {
    expect(await rotate(ring)).to.include({ status: 0, err: '' });
    expect(keysOf(ring)).to.equal(2);
    expect(readdirSync(folder)).to.deep.equal(['ring']);
  });

  it('refuses a file that is named twice, also by two paths', async () => {
    const link = path.join(folder, 'link');
    symlinkSync('ring', link);
    for (const again of [ring, `${folder}/./ring`, link]) {
      const { status, out, err } = await rotate(ring, again);
      expect({ status, out }).to.deep.equal({ status: 1, out: '' });
      expect(err).to.match(/^placard: \S+ is named twice\. Nothing was changed; .*\n$/);
    }
    expect(readFileSync(ring, 'utf8')).to.equal(RING);
    expect(readdirSync(folder).sort()).to.deep.equal(['link', 'ring']);
  });

  it('replaces the target of a link, and keeps the link', async () => {
    const link = path.join(folder, 'link');
    symlinkSync('ring', link);
    expect((await rotate(link)).status).to.equal(0);
    expect(lstatSync(link).isSymbolicLink()).to.equal(true);
    expect(keysOf(ring)).to.equal(2);
  });

  for (const mode of [0o600, 0o640, 0o666]) {
    it(`keeps the permissions ${mode.toString(8)}, whatever the umask`, async () => {
      chmodSync(ring, mode);
      const before = process.umask(0o077);
      try {
        expect((await rotate(ring)).status).to.equal(0);
      } finally {
        process.umask(before);
      }
      expect(statSync(ring).mode & 0o777).to.equal(mode);
    });
  }

  it('refuses while another rotation holds one of the files, and changes none', async () => {
    const other = path.join(folder, 'other');
    writeFileSync(other, RING);
    writeFileSync(`${other}.new`, '');
    const { status, err } = await rotate(ring, other);
    expect(status).to.equal(1);
    expect(err).to.match(
      /^placard: \S+other is being replaced by another command\. Nothing was changed; .*\.new if none runs\.\n$/,
    );
    expect([readFileSync(ring, 'utf8'), readFileSync(other, 'utf8')]).to.deep.equal([RING, RING]);
    expect(existsSync(`${ring}.new`)).to.equal(false);
  });

  it('does not change the ring when the new one cannot be written completely', () => {
    // More than the limit of 512 bytes.
    const key = Buffer.alloc(32).toString('base64url');
    const long = `${Array.from({ length: 6 }, (_, index) => `k${index}-2345678901234:${key}@2999-01-01T00:00:00Z`).join(',')},k6:${key}\n`;
    writeFileSync(ring, long);
    const command = [
      process.execPath,
      '--import=tsx',
      '--conditions=source',
      MAIN,
      'keys',
      'rotate',
      '--file',
      ring,
    ];
    const limited = ['-c', 'ulimit -f 1 && exec "$@"', 'sh', ...command];
    const { status, stdout, stderr } = spawnSync('sh', limited, { encoding: 'utf8' });
    expect(stderr).to.match(/^placard: the key ring \S+ring is not rotated: EFBIG.* It is unchanged; .*\n$/);
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(readFileSync(ring, 'utf8')).to.equal(long);
    expect(readdirSync(folder)).to.deep.equal(['ring']);
  });

  it('reports a missing file', async () => {
    const { status, err } = await rotate(ring, path.join(folder, 'nowhere'));
    expect(status).to.equal(1);
    expect(err).to.match(/^placard: the key ring \S+nowhere is not rotated: ENOENT.*\n$/);
    expect(readFileSync(ring, 'utf8')).to.equal(RING);
  });
});
