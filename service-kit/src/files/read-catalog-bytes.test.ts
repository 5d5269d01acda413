import { expect } from 'chai';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CATALOG_FILE_BYTES_MAX } from '../pure/index.js';
import { readCatalogBytes } from './read-catalog-bytes.js';

describe('the bytes of a catalog file', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-catalog-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  it('are the content of the file', () => {
    const file = path.join(dir, 'small');
    writeFileSync(file, 'publishers: []\n');
    const read = readCatalogBytes(file);
    expect('bytes' in read && Buffer.from(read.bytes).toString()).to.equal('publishers: []\n');
  });

  it('are refused when there are too many, and the fault names their number', () => {
    const file = path.join(dir, 'large');
    writeFileSync(file, '');
    truncateSync(file, CATALOG_FILE_BYTES_MAX + 5);
    expect(readCatalogBytes(file))
      .to.have.property('fault')
      .that.matches(/^has 268435461 bytes, /);
  });

  it('cannot be read from a file that does not exist', () => {
    expect(() => readCatalogBytes(path.join(dir, 'none'))).to.throw('ENOENT');
  });
});
