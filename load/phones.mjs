// `npm run phones`: prepares everything like `npm start`, then lets phones use the instance that runs.
import { requireSupportedNode } from '../deploy/local/bootstrap/node-version.mjs';

requireSupportedNode();

const { prepare, root, userFolder } = await import('../deploy/local/bootstrap/prepare.mjs');
const { handOver } = await import('../deploy/local/bootstrap/hand-over.mjs');

const node = await prepare(() => undefined);
process.chdir(userFolder());
handOver(node, `${root}/load/dist/phones/main.js`, process.argv.slice(2));
