// `npm run test:failure`: prepares everything like `npm start`, then runs the product under faults.
import { requireSupportedNode } from '../../deploy/local/bootstrap/node-version.mjs';

requireSupportedNode();

const { runSource } = await import('../../deploy/local/bootstrap/run-source.mjs');
await runSource('tests/failure/main.ts');
