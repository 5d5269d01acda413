// `npm run load`: prepares everything like `npm start`, then runs the load command on the requested Node.js.
import { requireSupportedNode } from '../deploy/local/bootstrap/node-version.mjs';

requireSupportedNode();

const { prepare, root } = await import('../deploy/local/bootstrap/prepare.mjs');
const { handOver } = await import('../deploy/local/bootstrap/hand-over.mjs');
const { nodeOf, wantedVersion } = await import('./node-versions.mjs');

const args = process.argv.slice(2);
const main = `${root}/load/dist/main.js`;
if (args.length === 0 || args.includes('--help')) {
  const pinned = await prepare(() => undefined);
  handOver(pinned, main, args);
} else {
  const pinned = await prepare((text) => console.log(text));
  const wanted = wantedVersion(args);
  const node = wanted === null ? pinned : await nodeOf(wanted, pinned, (text) => console.log(text));
  handOver(node, main, args);
}
