import type { Fault } from './source-files.js';

/** Names that do not describe any content. */
const BANNED: ReadonlySet<string> = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'manager',
  'managers',
]);
/** Most files of one folder, folders not counted. docs/grammar.md. */
const FOLDER_FILES_MAX = 25;
const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.[a-z]+$/;

/** Banned words in the name of a folder or file. */
export function nameFaults(path: string): Fault[] {
  const name = path.split('/').at(-1) ?? path;
  const banned = name.split(/[.\-_]/).filter((word) => BANNED.has(word.toLowerCase()));
  return banned.map((word) => `${path}: is named "${word}"; name it after its content`);
}

/** Files of TypeScript, SQL or Lua whose name is not in kebab-case. */
export function spellingFaults(path: string): Fault[] {
  const name = path.split('/').at(-1) ?? path;
  if (!/\.(ts|sql|lua)$/.test(name) || FILE_NAME.test(name)) return [];
  // Migrations are ordered by their number: 001_create_events.sql.
  if (/\/migrations\/\d{3}_[a-z0-9_]+\.sql$/.test(path)) return [];
  return [`${path}: is not in kebab-case`];
}

/** Folders of source code with more files than a reader can survey. */
export function folderFaults(paths: readonly string[]): Fault[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (!/\.(ts|mts|mjs|sql|lua)$/.test(path) || path.includes('/migrations/')) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(
      ([folder, count]) =>
        `${folder}: has ${count} files; group them in folders of at most ${FOLDER_FILES_MAX}`,
    );
}
