import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The library folders of an unpacked package, in the form of `LD_LIBRARY_PATH`. */
export function libraryPathOf(dir: string): string {
  return ['usr/lib', 'lib']
    .map((name) => path.join(dir, name))
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => path.join(parent, name)))
    .filter((folder) => /-linux-/.test(folder))
    .join(':');
}
