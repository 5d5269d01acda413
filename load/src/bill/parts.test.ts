import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { rootDir } from '../root-dir.js';
import { PARTS } from './parts.js';

describe('the parts of the bill', () => {
  it('have unique ids, and contain only existing parts', () => {
    const ids = PARTS.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const { holds } of PARTS) if (holds !== undefined) expect(ids).to.include(holds);
  });

  // Methods are checked when the product starts. This test finds a moved file and a renamed export at once.
  it('name exports that the product has', () => {
    const gone = PARTS.flatMap(({ patches }) => patches)
      .filter(({ module }) => module.endsWith('.js'))
      .filter(({ module, name }) => {
        const file = path.join(rootDir, module.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
        const exported = new RegExp(`export (?:async )?(?:function|class|const) ${name}\\b`);
        return !existsSync(file) || !exported.test(readFileSync(file, 'utf8'));
      });
    expect(gone.map(({ module, name }) => `${module} ${name}`)).to.deep.equal([]);
  });
});
