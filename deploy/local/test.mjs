// `npm test`: prepares everything like `npm start`, then runs the tests with their own stores.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();

const { builtScript, prepare } = await import('./bootstrap/prepare.mjs');
const { handOver } = await import('./bootstrap/hand-over.mjs');

const HELP = `Runs the tests on throw-away stores.

Usage: npm test -- [--all] [FILES] [options of mocha, such as -g TEXT]

  --stores only the stores, until Ctrl-C; prints how to run tests on them (npm run stores)
  --all    the long tests too: cluster, several replicas, rollout, mixed releases, browser, restore drills
  FILES    only these test files or patterns
  --help   this text`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(HELP);
} else {
  const node = await prepare((text) => console.log(text));
  handOver(node, builtScript('test-run/test-run.js'), args);
}
