// `npm run record:outages`: prepares everything like `npm start`, then records the metrics of a running product in outages.
import { requireSupportedNode } from '../../deploy/local/bootstrap/node-version.mjs';

requireSupportedNode();

const { runSource } = await import('../../deploy/local/bootstrap/run-source.mjs');
await runSource('tests/outages/main.ts');
