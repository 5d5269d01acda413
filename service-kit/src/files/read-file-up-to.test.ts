import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFileUpTo } from './read-file-up-to.js';

describe('a file that is read up to a bound', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-read-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  it('is read whole when it has as many bytes as allowed, and not when it has one more', () => {
    const file = path.join(dir, 'file');
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 5, 7);
    writeFileSync(file, bytes);
    expect(Buffer.from(readFileUpTo(file, bytes.length) ?? []).equals(bytes)).to.equal(true);
    expect(readFileUpTo(file, bytes.length - 1)).to.equal(null);
    writeFileSync(file, '');
    expect(readFileUpTo(file, 0)).to.have.length(0);
  });

  it('may be a device without an end', () => {
    expect(readFileUpTo('/dev/zero', 5_000_000)).to.equal(null);
  });

  it('is refused by the system’s own words when it cannot be read', () => {
    expect(() => readFileUpTo(path.join(dir, 'none'), 1)).to.throw('ENOENT');
  });
});
