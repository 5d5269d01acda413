import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { rootDir } from '../root-dir.js';
import { PARTS } from './parts.js';

describe('the parts of the bill', () => {
  it('have ids of their own, and hold only parts that there are', () => {
    const ids = PARTS.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const { holds } of PARTS) if (holds !== undefined) expect(ids).to.include(holds);
  });

  // Methods are looked at when the product starts; this finds a file that was moved and an export that was renamed at once.
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
