// `npm run test:failure`: the same way in as `npm start`, then the product under faults.
import path from 'node:path';
import { handOver } from '../../deploy/local/bootstrap/hand-over.mjs';
import { requireSupportedNode } from '../../deploy/local/bootstrap/node-version.mjs';
import { prepare, root } from '../../deploy/local/bootstrap/prepare.mjs';

requireSupportedNode();

const node = await prepare((text) => console.log(text));
const script = path.join(root, 'tests', 'failure', 'main.ts');
handOver(node, '--import=tsx', ['--conditions=source', script, ...process.argv.slice(2)]);
