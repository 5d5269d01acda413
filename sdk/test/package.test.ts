import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const TEST_MS_MAX = 60_000;

/** The exports of the package: files by condition, or one file. */
type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The files that `npm pack` would take, from the folder of the package. */
function packed(): readonly string[] {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: FOLDER });
  const [listed] = JSON.parse(answer.toString()) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return listed.files.map((file) => file.path);
}

describe('the package of the SDK', () => {
  it('has each file that it exports, and neither the page /try nor tests nor maps', () => {
    const manifest = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8')) as {
      readonly exports: Exports;
    };
    const files = packed();
    const exported = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(files).to.include.members(exported.map((file) => path.normalize(file)));
    expect(files.filter((file) => /\/try\/|\.test\.|\.map$|\.tsbuildinfo$/.test(file))).to.deep.equal([]);
  }).timeout(TEST_MS_MAX);
});
