// Part of the Dockerfile: copies the code that a service runs, from its package and its dependencies, into a folder.
import { cpSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPacked, packagesOf, SERVICES } from './contents.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [service, target] = process.argv.slice(2);

if (!SERVICES.includes(service) || target === undefined) {
  console.error(`Usage: pack.mjs SERVICE FOLDER, where SERVICE is one of ${SERVICES.join(', ')}.`);
  process.exit(2);
}

const readManifest = (folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));

for (const folder of packagesOf(service, readManifest)) {
  const from = path.join(root, folder);
  cpSync(from, path.join(target, folder), {
    recursive: true,
    filter: (file) =>
      file === from || isPacked(`${path.relative(from, file)}${statSync(file).isDirectory() ? '/' : ''}`),
  });
}
