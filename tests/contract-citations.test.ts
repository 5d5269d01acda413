import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect } from 'chai';
import { anchorsOf, citationFaults, type AnchorsOf } from './tidy/citations.js';
import { listPaths, ROOT, type SourceFile } from './tidy/source-files.js';

const TEXTS: ReadonlySet<string> = new Set(
  '.md .ts .mts .mjs .js .cjs .sql .lua .sh .proto .yaml .yml .json .html'.split(' '),
);
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Its entries for earlier releases do not change.
  'CHANGELOG.md',
  'package-lock.json',
  // Their examples are wrong on purpose.
  'tests/contract-citations.test.ts',
  'tests/tidy-walls.test.ts',
]);

function readTexts(): SourceFile[] {
  return listPaths()
    .filter((path) => TEXTS.has(extname(path)) && !LEFT_OUT.has(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function openPages(): AnchorsOf {
  const known = new Map<string, ReadonlySet<string> | null>();
  return (path) => {
    const full = join(ROOT, path);
    const anchors = known.get(path) ?? (existsSync(full) ? anchorsOf(readFileSync(full, 'utf8')) : null);
    known.set(path, anchors);
    return anchors;
  };
}

describe('the contract is in the repository', () => {
  const texts = readTexts();

  it('where every citation and every link between pages leads to a page and an anchor', () => {
    const pages = openPages();
    const faults = texts.flatMap((file) => citationFaults(file, pages));
    if (faults.length > 0) throw new Error(`${faults.length} faults:\n  ${faults.join('\n  ')}`);
  });

  it('and is cited by code', () => {
    const citing = texts.filter(({ path, text }) => path.endsWith('.ts') && text.includes('docs/contract/'));
    expect(citing.length).to.be.greaterThan(100);
  });

  it('and has a list that names every page', () => {
    const list = readFileSync(join(ROOT, 'docs/contract/README.md'), 'utf8');
    const pages = listPaths(join(ROOT, 'docs/contract')).map((path) => path.slice('docs/contract/'.length));
    expect(pages.filter((page) => page !== 'README.md' && !list.includes(`](${page})`))).to.deep.equal([]);
  });
});

describe('a citation', () => {
  const pages: AnchorsOf = (path) => (path === 'docs/contract/money.md' ? new Set(['unit']) : null);
  const faultsOf = (path: string, text: string): string[] => citationFaults({ path, text }, pages);

  const wrong: readonly (readonly [path: string, text: string, fault: string])[] = [
    ['a.ts', '// Contract: docs/contract/money.md#units.', 'has no anchor "units"'],
    ['a.sql', '-- Contract: docs/contract/gold.md#unit.', 'docs/contract/gold.md does not exist'],
    ['a.lua', '\n-- Contract: Money.', 'a.lua:2: "Contract:" names no page'],
    ['a.ts', '// Design: "Money".', '"Design:" names no page'],
    ['a.ts', '// Operator interface: `ledger verify`.', '"Operator interface:" names no page'],
    ['a.proto', '// A reason of the specification.', '"specification" names no page'],
    ['a.ts', '// Rulings: "Money".', '"Rulings" names no page'],
    ['docs/a.md', '[unit](contract/money.md#coin)', 'has no anchor "coin"'],
    ['docs/contract/a.md', '[gold](gold.md)', 'docs/contract/gold.md does not exist'],
  ];
  for (const [path, text, fault] of wrong) {
    it(`leads nowhere: ${text.trim()}`, () => {
      const faults = faultsOf(path, text);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include(fault);
    });
  }

  const right: readonly (readonly [path: string, text: string])[] = [
    ['a.ts', '// Contract: docs/contract/money.md#unit.'],
    ['a.ts', '/**\n * Contract:\n * docs/contract/money.md#unit.\n */'],
    ['a.ts', '// See https://example.org/docs/other.md#place.'],
    ['docs/a.md', '[unit](contract/money.md#unit), [page](https://example.org/a.md#b)'],
  ];
  for (const [path, text] of right) {
    it(`leads somewhere: ${text.replaceAll('\n', ' ')}`, () => {
      expect(faultsOf(path, text)).to.deep.equal([]);
    });
  }

  it('may name a heading as GitHub spells it, or an explicit anchor', () => {
    const page = '# POST /ads/request\n## `a` b, *c*\n## Twice\n## Twice\n<a id="x"></a>\n```\n# no\n```\n';
    expect([...anchorsOf(page)]).to.have.members(['post-adsrequest', 'a-b-c', 'twice', 'twice-1', 'x']);
  });
});
