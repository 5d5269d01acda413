import { expect } from 'chai';
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
import { runCommand } from '../../test/support/run-command.js';

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

  it('adds one key, and leaves nothing else behind', async () => {
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
      expect(err).to.match(/^placard: \S+ is a key ring that is named twice\. Nothing was changed; .*\n$/);
    }
    expect(readFileSync(ring, 'utf8')).to.equal(RING);
    expect(readdirSync(folder).sort()).to.deep.equal(['link', 'ring']);
  });

  it('replaces the file behind a link, and leaves the link', async () => {
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

  it('says so when a file is not there', async () => {
    const { status, err } = await rotate(ring, path.join(folder, 'nowhere'));
    expect(status).to.equal(1);
    expect(err).to.match(/^placard: the key ring \S+nowhere is not rotated: ENOENT.*\n$/);
    expect(readFileSync(ring, 'utf8')).to.equal(RING);
  });
});
