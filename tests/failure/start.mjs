// `npm run test:failure`: prepares everything like `npm start`, then runs the product under faults.
import { requireSupportedNode } from '../../deploy/local/bootstrap/node-version.mjs';

requireSupportedNode();

const { prepare, root } = await import('../../deploy/local/bootstrap/prepare.mjs');
const { handOver } = await import('../../deploy/local/bootstrap/hand-over.mjs');

const node = await prepare((text) => console.log(text));
handOver(node, '--import=tsx', [
  '--conditions=source',
  `${root}/tests/failure/main.ts`,
  ...process.argv.slice(2),
]);
