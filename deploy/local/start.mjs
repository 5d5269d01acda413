// `npm start`: runs on the installed Node.js before anything is installed, so it has no dependency.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();

const { parseStartArguments, START_HELP } = await import('./bootstrap/arguments.mjs');
const { builtScript, prepare, root, userFolder } = await import('./bootstrap/prepare.mjs');
const { handOver } = await import('./bootstrap/hand-over.mjs');

const parsed = parseStartArguments(process.argv.slice(2), process.env, { root, cwd: userFolder() });
if (parsed.help) {
  console.log(START_HELP);
} else if (parsed.fault !== undefined) {
  console.error(parsed.fault);
  process.exitCode = 2;
} else {
  const node = await prepare((text) => console.log(text));
  handOver(node, builtScript('main.js'), [JSON.stringify(parsed.options)]);
}
