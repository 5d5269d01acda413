// Part of `npm run build`: copies SQL, Lua, pages and plain JavaScript beside the compiled code, because the compiler does not.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { filesUnder, fingerprintOf, packagesOf, recordBuild } from './bootstrap/build.mjs';
import { root } from './bootstrap/prepare.mjs';

for (const folder of packagesOf(root)) {
  const sources = path.join(folder, 'src');
  for (const file of filesUnder(sources).filter((name) => /\.(sql|lua|json|mjs|html|css|svg)$/.test(name))) {
    const target = path.join(folder, 'dist', path.relative(sources, file));
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}
recordBuild(root, fingerprintOf(root));
