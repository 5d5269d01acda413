// `npm run screenshots`: prepares everything like `npm start`, then takes the pictures of the documents anew.
import { requireSupportedNode } from '../../deploy/local/bootstrap/node-version.mjs';

requireSupportedNode();

const { runSource } = await import('../../deploy/local/bootstrap/run-source.mjs');
await runSource('tests/browser/screenshots.ts');
