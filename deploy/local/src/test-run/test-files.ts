import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Files of `npm test` in the order in which they run: quick ones first. */
const SHORT: readonly RegExp[] = [
  /^[^/]+\/src\/.*\.test\.ts$/,
  /^[^/]+\/test\/.*\.test\.ts$/,
  /^deploy\/.*\.test\.ts$/,
  /^tests\/[^/]+\.test\.ts$/,
  /^tests\/model\/.*\.test\.ts$/,
  /^tests\/driver\/.*\.test\.ts$/,
  /^tests\/conformance\/.*\.test\.ts$/,
  /^tests\/failure\/.*\.test\.ts$/,
];
/** Files that `--all` adds. */
const LONG: readonly RegExp[] = [/^tests\/long\/.*\.test\.ts$/];

const SKIPPED = new Set(['node_modules', 'dist', 'gen', '.git', '.data']);

/** The test files of a repository, relative to it. */
export function testFiles(rootDir: string, isAll: boolean): readonly string[] {
  return orderTests(filesUnder(rootDir, ''), isAll);
}

/** The tests among some paths, in the order in which they run. */
export function orderTests(files: readonly string[], isAll: boolean): readonly string[] {
  const sorted = [...files].sort();
  const rules = isAll ? [...SHORT, ...LONG] : SHORT;
  return rules.flatMap((rule) => sorted.filter((file) => rule.test(file)));
}

function filesUnder(rootDir: string, folder: string): readonly string[] {
  return readdirSync(path.join(rootDir, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(rootDir, name);
    return entry.name.endsWith('.test.ts') ? [name] : [];
  });
}
