import { handOver } from './hand-over.mjs';
import { prepare, root } from './prepare.mjs';

/**
 * Prepares everything like `npm start`, then runs a TypeScript file of the repository with the arguments of this process.
 * @param {string} file path from the root
 */
export async function runSource(file) {
  const node = await prepare((text) => console.log(text));
  handOver(node, '--import=tsx', ['--conditions=source', `${root}/${file}`, ...process.argv.slice(2)]);
}
