import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IViolation } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { ROOT } from './source-files.js';

/** Files of a generated repository to which the imports of the cases lead. */
const TARGETS = [...entriesOfKit(), 'node_modules/pg/index.js'];

function entriesOfKit(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'service-kit/package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly source: string }>>;
  };
  return Object.values(manifest.exports).map(({ source }) => join('service-kit', source));
}

/** Violations of .dependency-cruiser.mjs in a repository of these files, each with one line of code. */
export async function violationsIn(files: ReadonlyMap<string, string>): Promise<readonly IViolation[]> {
  const dir = mkdtempSync(join(tmpdir(), 'placard-imports-'));
  try {
    for (const path of TARGETS) write(dir, path, 'export {};');
    cpSync(join(ROOT, 'service-kit/package.json'), join(dir, 'service-kit/package.json'));
    mkdirSync(join(dir, 'node_modules/@placard'));
    symlinkSync('../../service-kit', join(dir, 'node_modules/@placard/service-kit'));
    for (const [path, text] of files) write(dir, path, text);
    const { forbidden = [], options = {} } = await extractDepcruiseConfig(
      join(ROOT, '.dependency-cruiser.mjs'),
    );
    const others = Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'tsConfig'));
    const { output } = await cruise(['.'], {
      ...others,
      ruleSet: { forbidden },
      validate: true,
      baseDir: dir,
    });
    if (typeof output === 'string') throw new Error(output);
    return output.summary.violations;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function write(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
