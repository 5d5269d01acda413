import { expect } from 'chai';
import { EXAMPLE, exampleWith } from '../../../test/support/catalog-text.js';
import { readCatalogFile } from './read-catalog-file.js';
import { readHere } from './read-here.js';

/** Makes a text longer without changing its meaning. */
function padded(text: string, chars: number): string {
  return `${text}\n${`#${' '.repeat(998)}\n`.repeat(Math.ceil(chars / 1_000))}`;
}

describe('a catalog file', () => {
  for (const chars of [0, 200_000, 9_000_000]) {
    it(`of ${chars} characters is read like a file of any other size`, async () => {
      for (const text of [
        EXAMPLE,
        `{"advertisers":[{"id":"adv_a","name":"A","campaigns":[{"id":"cmp_a","name":"C","bid_cpm":1e-3}]}]}`,
        exampleWith('bid_cpm: 2.50', 'bid_cpm: .5'),
        exampleWith('bid_cpm: 2.50', 'bid_cpm: +2.5'),
        exampleWith('bid_cpm: 2.50', 'bid_cpm: 007'),
        exampleWith('bid_cpm: 2.50', 'bid_cpm: 2.'),
      ]) {
        const { file, faults } = await readCatalogFile(padded(text, chars));
        expect(faults.list()).to.deep.equal([]);
        expect(file).to.deep.equal(readHere(text).file);
      }
    });

    it(`of ${chars} characters is refused like a file of any other size`, async () => {
      for (const text of [
        exampleWith('bid_cpm: 2.50', 'bid_cpm: .inf'),
        exampleWith('name: Sunrise Games', 'name: .inf'),
        exampleWith('bid_cpm: 2.50', 'bid_cmp: 2.50').replaceAll('approved: true', 'aproved: 1'),
        'publishers: [',
      ]) {
        const { file, faults } = await readCatalogFile(padded(text, chars));
        const small = readHere(text);
        expect(faults.list()).to.have.length.above(0);
        expect(file).to.deep.equal(small.file);
        // The reported place of a missing end depends on the length of the file.
        if (file !== null) expect(faults.list()).to.deep.equal(small.faults.list());
      }
    });
  }

  it('that takes too long to read is refused, and others are served meanwhile', async () => {
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    const { file, faults } = await readCatalogFile(padded('a: 1', 2_000_000), {
      seconds: 0.05,
      megabytes: 500,
    });
    clearInterval(ticking);
    expect(file).to.equal(null);
    expect(faults.list()).to.deep.equal([
      'file: takes more than 0.05 seconds to read; split it, or write it as JSON if it is YAML',
    ]);
    expect(ticks).to.be.above(2);
  });

  it('that takes too much memory to read is refused, and the next one is read', async () => {
    const values = `[${'1,'.repeat(3_000_000)}1]`;
    const { file, faults } = await readCatalogFile(values, { seconds: 60, megabytes: 60 });
    expect(file).to.equal(null);
    expect(faults.list()).to.deep.equal([
      'file: takes more than 60 MB of memory to read; split it, or write it as JSON if it is YAML',
    ]);
    expect((await readCatalogFile(padded(EXAMPLE, 200_000))).faults.list()).to.deep.equal([]);
  });
});
