import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFileUpTo } from './read-file-up-to.js';

describe('a file that is read up to a limit', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-read-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  it('is read when it has exactly the allowed number of bytes, and refused when it has one more', () => {
    const file = path.join(dir, 'file');
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 5, 7);
    writeFileSync(file, bytes);
    expect(Buffer.from(readFileUpTo(file, bytes.length) ?? []).equals(bytes)).to.equal(true);
    expect(readFileUpTo(file, bytes.length - 1)).to.equal(null);
    writeFileSync(file, '');
    expect(readFileUpTo(file, 0)).to.have.length(0);
  });

  it('may be an endless device, which is refused', () => {
    expect(readFileUpTo('/dev/zero', 5_000_000)).to.equal(null);
  });

  it('gives the error of the system when it cannot be read', () => {
    expect(() => readFileUpTo(path.join(dir, 'none'), 1)).to.throw('ENOENT');
  });
});
