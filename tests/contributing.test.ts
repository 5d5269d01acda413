import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './tidy/source-files.js';

const GUIDE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The paths from the root that the guide names, without placeholders and without the layers of a service. */
function namedPaths(): readonly string[] {
  const spans = [...GUIDE.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const commands = [...GUIDE.matchAll(/^npx mocha .*?(\S+\.ts)/gm)].map((match) => match[1] ?? '');
  return [...spans, ...commands].filter(
    (text) => /^[\w.-]+\/[\w./-]*$/.test(text) && !/^([.]data|src|rpc|usecase|domain)\//.test(text),
  );
}

describe('CONTRIBUTING.md', () => {
  it('names only files and folders that exist, so that a recipe leads somewhere', () => {
    const paths = namedPaths();
    expect(paths).to.have.length.above(50);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });

  it('names only commands that exist', () => {
    const names = [...GUIDE.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
    expect(names).to.have.length.above(5);
    expect(names.filter((name) => scripts[name] === undefined)).to.deep.equal([]);
  });
});
