import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Tests of one service on the stores. Each file empties Redis, so they are one lane. */
const SERVICES: readonly RegExp[] = [/^[^/]+\/test\/.*\.test\.ts$/, /^deploy\/.*\.test\.ts$/];
/** Units, which use no store, and then tests of the whole product. */
const UNITS_AND_PRODUCT: readonly RegExp[] = [
  /^[^/]+\/src\/.*\.test\.ts$/,
  /^tests\/[^/]+\.test\.ts$/,
  /^tests\/model\/.*\.test\.ts$/,
  /^tests\/driver\/.*\.test\.ts$/,
  /^tests\/conformance\/.*\.test\.ts$/,
  /^tests\/failure\/.*\.test\.ts$/,
];
/** Long tests that bear a busy machine, in two lanes of about the same time. */
const LONG_LANES: readonly RegExp[] = [
  /^tests\/long\/(?:browser|migration-under-traffic|mixed-releases|new-replica|rate-limits|restore-drill)\.test\.ts$/,
  /^tests\/long\/(?:failure|outages|phones|point-in-time)\.test\.ts$/,
];
/** The other long tests measure how long an outage lasts, so they run alone. */
const LONG = /^tests\/long\/.*\.test\.ts$/;

const SKIPPED = new Set(['node_modules', 'dist', 'gen', '.git', '.data']);

/** Test files that run one after another, in this order. */
export type Lane = readonly string[];

/** The test files of a repository, relative to it: groups that run one after another, of lanes that run at the same time. */
export function testFiles(rootDir: string, isAll: boolean): readonly (readonly Lane[])[] {
  return groupTests(filesUnder(rootDir, ''), isAll);
}

/** Groups the tests among some paths. */
export function groupTests(files: readonly string[], isAll: boolean): readonly (readonly Lane[])[] {
  const sorted = [...files].sort();
  const lane = (rules: readonly RegExp[]): Lane =>
    rules.flatMap((rule) => sorted.filter((file) => rule.test(file)));
  const short = [lane(SERVICES), lane(UNITS_AND_PRODUCT)];
  if (!isAll) return [short];
  const long = LONG_LANES.map((rule) => lane([rule]));
  const alone = lane([LONG]).filter((file) => !long.flat().includes(file));
  return [short, long, [alone]];
}

function filesUnder(rootDir: string, folder: string): readonly string[] {
  return readdirSync(path.join(rootDir, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(rootDir, name);
    return entry.name.endsWith('.test.ts') ? [name] : [];
  });
}
