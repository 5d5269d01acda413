import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { chooseNode } from './node-choice.mjs';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '');

/** The user's current folder. npm changes to the package's folder and sets INIT_CWD to the original one. */
export function userFolder() {
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined;
  return isUnderNpm ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd();
}

/**
 * Prepares everything that the repository's own TypeScript needs: dependencies, the build, a Node.js. Returns the Node.js to
 * use; ends the process with a sentence when something is missing.
 * @param {(text: string) => void} say
 */
export async function prepare(say) {
  try {
    await ensureInstalled(root, say);
    await ensureBuilt(root, say);
    const node = chooseNode(root, process.env);
    say(`Node.js ${node.version} runs the processes (${node.origin}).`);
    return node.file;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

/**
 * A built script of this package.
 * @param {string} name
 */
export function builtScript(name) {
  return path.join(root, 'deploy', 'local', 'dist', name);
}
