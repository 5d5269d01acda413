import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { replaceFile, replaceFileInPieces } from './replace-file.js';

/** Larger than one block of `ulimit -f`, so that a write under this limit is partial. */
const LARGE_BYTES = 5_000;
const MODULE = new URL('replace-file.ts', import.meta.url).href;

describe('a file that is replaced', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-replace-'));
    file = path.join(folder, 'file');
    writeFileSync(file, 'old');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const modeOf = (): number => statSync(file).mode & 0o777;
  const inPieces = (content: string): Promise<void> =>
    replaceFileInPieces(file, async (append) => {
      for (const piece of content) await append(Buffer.from(piece));
    });

  /** Runs a statement under a limit of 512 or 1,024 bytes per file. Answers its output. */
  function underLimit(statement: string): string {
    const program = `import { replaceFile, replaceFileInPieces } from ${JSON.stringify(MODULE)};
      const file = ${JSON.stringify(file)};
      const large = Buffer.alloc(${LARGE_BYTES}, 'x');
      try { ${statement}; console.log('written'); } catch (error) { console.log(error.code); }`;
    const node = [process.execPath, '--import=tsx', '--input-type=module', '-e', program];
    const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 1 && exec "$@"', 'sh', ...node], {
      encoding: 'utf8',
    });
    return stdout.trim() || stderr;
  }

  for (const [how, statement] of [
    ['at once', 'replaceFile(file, large)'],
    ['in pieces', 'await replaceFileInPieces(file, (append) => append(large))'],
  ] as const) {
    it(`${how} keeps its content when not all bytes can be written`, () => {
      expect(underLimit(statement)).to.equal('EFBIG');
      expect(readFileSync(file, 'utf8')).to.equal('old');
      expect(readdirSync(folder)).to.deep.equal(['file']);
    });
  }

  it('has all of the new content, and no other file is left beside it', async () => {
    const large = 'y'.repeat(LARGE_BYTES);
    replaceFile(file, large);
    expect(readFileSync(file, 'utf8')).to.equal(large);
    await inPieces('new');
    expect(readFileSync(file, 'utf8')).to.equal('new');
    expect(readdirSync(folder)).to.deep.equal(['file']);
  });

  it('keeps its permissions unless others are given, and is readable by its owner only when it is new', () => {
    chmodSync(file, 0o644);
    replaceFile(file, 'new');
    expect(modeOf()).to.equal(0o644);
    replaceFile(file, 'newer', 0o600);
    expect(modeOf()).to.equal(0o600);
    rmSync(file);
    replaceFile(file, 'newest');
    expect(modeOf()).to.equal(0o600);
  });
});
