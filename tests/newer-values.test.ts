import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listPaths, ROOT } from './tidy/source-files.js';

/** Rules for values that a reader does not know, by enum. */
const PAGE = 'docs/contract/newer-values.md';

describe('the rules for values of a newer release', () => {
  it('name every enum of the protos, and no other', () => {
    const enums = listPaths(join(ROOT, 'protos', 'placard'))
      .filter((path) => path.endsWith('.proto'))
      .flatMap((path) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^\s*enum (\w+) \{/gm)])
      .map(([, name]) => name);
    expect(enums.length).to.be.above(10);
    const rows = readFileSync(join(ROOT, PAGE), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...row.slice(0, row.indexOf(' | ')).matchAll(/`(\w+)`/g)]);
    expect([...new Set(named.map(([, name]) => name))].sort()).to.deep.equal([...enums].sort());
  });
});
