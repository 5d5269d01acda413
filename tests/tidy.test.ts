import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exportNameFaults, docFaults } from './tidy/exports.js';
import { headerFaults } from './tidy/headers.js';
import { deadLinkFaults, lineFaults } from './tidy/markdown.js';
import { markFaults } from './tidy/marks.js';
import { nameFaults, spellingFaults } from './tidy/names.js';
import { purityFaults } from './tidy/purity.js';
import { roomFaults, serviceFaults } from './tidy/rooms.js';
import { fileSizeFaults, functionSizeFaults } from './tidy/sizes.js';
import { listPaths, readCode, readMarkdown, ROOT, type Fault, type SourceFile } from './tidy/source-files.js';

/** Fails with every fault on a line of its own. */
function expectNone(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n  ${faults.join('\n  ')}`);
}

/** Whether the repository has such a file or folder. */
function isThere(path: string): boolean {
  return existsSync(join(ROOT, path));
}

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

  it('is looked at as a whole', () => {
    if (files.length < 100) throw new Error(`only ${files.length} files were found`);
  });

  everyFile('each room imports only what the design lets it', roomFaults);
  everyFile('no service imports another', serviceFaults);
  everyFile('the domain is pure', purityFaults);
  everyFile('files are short, entries of processes very short', fileSizeFaults);
  everyFile('functions are short', functionSizeFaults);
  everyPath('names say what is inside', nameFaults);
  everyPath('files are in kebab-case', spellingFaults);
  everyFile('SQL and Lua say what they are given', headerFaults);
  everyFile('exports have names', exportNameFaults);
  everyFile('what is exported is explained', docFaults);
  everyFile('nothing is marked as unfinished', markFaults);
  everyPage('lines of Markdown have at most 120 characters', lineFaults);
  everyPage('links in Markdown lead to files that exist', (page) => deadLinkFaults(page, isThere));
});
