#!/usr/bin/env node
// Runs the built `placard` command. The root package's `bin` names it, so that `npx placard` needs no registry.
import { existsSync } from 'node:fs';
import module from 'node:module';

const main = new URL('../dist/cli/main.js', import.meta.url);

if (existsSync(main)) {
  // Keeps the compiled modules in the folder for temporary files, where Node.js can. The next command starts faster.
  module.enableCompileCache?.();
  await import(main.href);
} else {
  console.error(
    'placard: not built yet. Run `npm start` (builds and starts everything) or `npm run build` first.',
  );
  process.exitCode = 1;
}
