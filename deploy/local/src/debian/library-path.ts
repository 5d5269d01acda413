import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * The library folders of an unpacked package, in the form of `LD_LIBRARY_PATH`. Some packages keep libraries that only their
 * own use in a folder below.
 */
export function libraryPathOf(dir: string): string {
  return ['usr/lib', 'lib']
    .flatMap((name) => foldersIn(path.join(dir, name)))
    .filter((folder) => /-linux-/.test(path.basename(folder)))
    .flatMap((folder) => [folder, ...foldersIn(folder).filter(hasLibrary)])
    .join(':');
}

function foldersIn(dir: string): readonly string[] {
  if (!existsSync(dir)) return [];
  const entries = readdirSync(dir, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(dir, name));
}

function hasLibrary(folder: string): boolean {
  return readdirSync(folder).some((name) => /\.so(\.|$)/.test(name));
}
