import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { docFaults } from './tidy/docs.js';
import { headerFaults } from './tidy/headers.js';
import { deadLinkFaults, lineFaults } from './tidy/markdown.js';
import { folderFaults, nameFaults, spellingFaults } from './tidy/names.js';
import { listPaths, readCode, readMarkdown, ROOT, type Fault, type SourceFile } from './tidy/source-files.js';

/** Fails with every fault on a line of its own. */
function expectNone(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n  ${faults.join('\n  ')}`);
}

/** Whether the repository has a file or folder with this path. */
function isThere(path: string): boolean {
  return existsSync(join(ROOT, path));
}

// Checks for which ESLint (eslint.config.mjs) and dependency-cruiser (.dependency-cruiser.mjs) have no rule.
describe('the repository is tidy', () => {
  let files: readonly SourceFile[];
  before(() => {
    files = readCode();
  });

  const everyFile = (title: string, faultsOf: (file: SourceFile) => Fault[]): void => {
    it(title, () => expectNone(files.flatMap(faultsOf)));
  };
  const everyPage = (title: string, faultsOf: (page: SourceFile) => Fault[]): void => {
    it(title, () => expectNone(readMarkdown().flatMap(faultsOf)));
  };
  const everyPath = (title: string, faultsOf: (path: string) => Fault[]): void => {
    it(title, () => expectNone(listPaths().flatMap(faultsOf)));
  };

  it('this test reads more than 100 files', () => {
    if (files.length < 100) throw new Error(`only ${files.length} files were found`);
  });

  everyPath('the name of a file or folder describes its content', nameFaults);
  everyPath('the name of a file is in kebab-case', spellingFaults);
  it('a folder has at most 25 files of code', () => expectNone(folderFaults(listPaths())));
  everyFile('an SQL or Lua file begins with a header that describes it and its parameters', headerFaults);
  everyFile('everything that is exported has a doc comment', docFaults);
  everyPage('lines of Markdown have at most 120 characters', lineFaults);
  everyPage('links in Markdown lead to files that exist', (page) => deadLinkFaults(page, isThere));
});
