import { expect } from 'chai';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CATALOG_FILE_BYTES_MAX } from '../pure/index.js';
import { readCatalogText } from './read-catalog-text.js';

describe('the text of a catalog file', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-catalog-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  it('is that of the file', () => {
    const file = path.join(dir, 'small');
    writeFileSync(file, 'publishers: []\n');
    expect(readCatalogText(file)).to.deep.equal({ text: 'publishers: []\n' });
  });

  it('is refused with the number of its bytes when there are too many', () => {
    const file = path.join(dir, 'large');
    writeFileSync(file, '');
    truncateSync(file, CATALOG_FILE_BYTES_MAX + 5);
    expect(readCatalogText(file))
      .to.have.property('fault')
      .that.matches(/^has 268435461 bytes, [^\n]+\.$/);
  });

  it('is refused with the place of the first byte that is not UTF-8, and what to do', () => {
    const file = path.join(dir, 'latin');
    writeFileSync(file, Buffer.from('a\nR\xe9f', 'latin1'));
    expect(readCatalogText(file)).to.deep.equal({
      fault: 'is not UTF-8: line 2, byte 2 of that line. Save it as UTF-8 and try again.',
    });
  });

  it('cannot be read from a file that does not exist, and the fault says so', () => {
    expect(readCatalogText(path.join(dir, 'none')))
      .to.have.property('fault')
      .that.matches(/^cannot be read: ENOENT[^\n]+\. Name a file that exists and can be read\.$/);
  });
});
