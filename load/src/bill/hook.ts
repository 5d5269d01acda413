import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { processName } from '../preload/process-name.js';
import { rootDir } from '../root-dir.js';
import { PARTS } from './parts.js';
import { BILL_DIR } from './replace.js';
import { ORDER_FILE, reportFile } from './switchboard-files.js';
import { obey, wrap, type LeaveOut } from './wrapping.js';

// Loaded into the product's processes before anything else, when their bill is made. It replaces exports of the modules in the
// table of parts by functions that check a switch. On SIGUSR2 it sets the switches by the file of the order.

/** The used part of Node.js's module hooks. The installed types are of an older Node.js. */
interface ModuleHooks {
  registerHooks(hooks: {
    load(url: string, context: object, next: (url: string, context: object) => object): object;
  }): void;
}

const dir = process.env[BILL_DIR];
const label = processName(process.argv[1]);
if (dir !== undefined && label !== null) {
  replaceExports(label);
  process.on('SIGUSR2', () => {
    const order = JSON.parse(readFileSync(path.join(dir, ORDER_FILE), 'utf8')) as LeaveOut;
    const file = path.join(dir, reportFile(label));
    writeFileSync(`${file}.new`, JSON.stringify(obey(order)));
    renameSync(`${file}.new`, file);
  });
}

function replaceExports(process: string): void {
  const patches = PARTS.flatMap((part) => part.patches).filter(({ processes }) =>
    processes.some((name) => name === process),
  );
  const names = new Map<string, Set<string>>();
  for (const patch of patches)
    names.set(patch.module, (names.get(patch.module) ?? new Set()).add(patch.name));
  const sources = new Map<string, string>();
  for (const [file, exported] of names) {
    if (file.endsWith('.js')) {
      const url = pathToFileURL(path.join(rootDir, file)).href;
      sources.set(url, sourceOf(file, url, exported));
    } else {
      replaceInPackage(file, exported);
    }
  }
  (module as unknown as ModuleHooks).registerHooks({
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
}

/** Source of a module that exports the same names as the original, with some exports replaced. */
function sourceOf(file: string, url: string, names: ReadonlySet<string>): string {
  const original = JSON.stringify(`${url}?original`);
  const wrapping = JSON.stringify(new URL('./wrapping.js', import.meta.url).href);
  const lines = [...names].map((name, at) => {
    const replaced = `wrap(${JSON.stringify(file)}, ${JSON.stringify(name)}, original[${JSON.stringify(name)}])`;
    return `const replaced${at} = ${replaced};\nexport { replaced${at} as ${name} };`;
  });
  return [
    `import * as original from ${original};`,
    `import { wrap } from ${wrapping};`,
    `export * from ${original};`,
    ...lines,
  ].join('\n');
}

/** Classes of a package are replaced in place. */
function replaceInPackage(name: string, exported: ReadonlySet<string>): void {
  const require = createRequire(path.join(rootDir, 'service-kit', 'package.json'));
  const all = require(name) as Readonly<Record<string, unknown>>;
  for (const one of exported) wrap(name, one, all[one]);
}
