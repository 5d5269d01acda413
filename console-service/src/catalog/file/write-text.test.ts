import { expect } from 'chai';
import fc from 'fast-check';
import { EXAMPLE } from '../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../test/support/judge.js';
import { exportTree } from '../domain/export-tree.js';
import { Faults } from '../domain/faults.js';
import { readYaml } from './read-yaml.js';
import { writeText } from './write-text.js';

const breathe = () => Promise.resolve();
const treeOf = (name: string) => ({ global: null, sections: [{ name: 'publishers', nodes: [{ name }] }] });

/** The line in which a name is written. */
async function written(name: string): Promise<string> {
  return (await writeText(treeOf(name), breathe)).replace(/^publishers:\n {2}- name: /, '').trimEnd();
}

describe('the text of an export', () => {
  it('is what apply accepts, and changes nothing then', async () => {
    const stored = storedAfter(judge(EXAMPLE).changes);
    const text = await writeText(exportTree(stored), breathe);
    expect(judge(text, stored, true)).to.deep.equal({ changes: [], notes: [], faults: [] });
  });

  it('has quotes around words that some version of YAML takes for something else than text', async () => {
    for (const word of ['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'])
      for (const name of [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)])
        expect(await written(name)).to.equal(`"${name}"`);
    for (const name of ['~', '1', '1.5', '0x1F', '1_000', '1:30', '2026-01-01', '.inf', '=', '<<', '-', ''])
      expect(await written(name)).to.equal(JSON.stringify(name));
  });

  it('has no quotes around plain words', async () => {
    for (const name of ['Sunrise', 'Sunrise Games 2', 'a.b-c_d', 'yesterday', 'no one'])
      expect(await written(name)).to.equal(name);
  });

  it('is read as it was written, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (name) => {
        const faults = new Faults();
        const read = readYaml(await writeText(treeOf(name), breathe), faults);
        expect(faults.list()).to.deep.equal([]);
        expect(read).to.deep.equal(new Map([['publishers', [new Map([['name', name]])]]]));
      }),
    );
  });

  it('lets others go on after the first of every fifty objects of a section', async () => {
    let breaths = 0;
    const nodes = Array.from({ length: 101 }, (_, n) => ({ name: `a${n}` }));
    await writeText({ global: null, sections: [{ name: 'publishers', nodes }] }, () => {
      breaths += 1;
      return Promise.resolve();
    });
    expect(breaths).to.equal(3);
  });
});
