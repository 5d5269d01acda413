import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { unreadableArgument } from '../../../service-kit/src/pure/text/unreadable.mjs';

/** Output of `npm start -- --help`. */
export const START_HELP = `Starts all of Placard on this machine and keeps its data.

Usage: npm start -- [--catalog FILE] [--data DIR] [--port N] [--replicas N]

  --catalog FILE  catalog to apply at every start; objects that it does not name stay unchanged
  --data DIR      where all data is kept (default .data)
  --port N        port of the gateway (default: PORT, else 8080)
  --replicas N    processes of each service, from 1 to 9 (default 1); each gateway has a port of its own
  --help          this text

Settings are read from the environment: DATABASE_URL and REDIS_URL use other stores than the built-in ones,
PLACARD_NODE=installed (or a path) runs the processes on another Node.js than the one that the repository pins.
Ctrl-C stops everything; a second Ctrl-C does not wait.`;

const PORT_DEFAULT = '8080';
const PORT_MAX = 65_535;
const REPLICAS_MAX = 9;
const TAKES_VALUE = new Set(['--catalog', '--data', '--port', '--replicas']);

/**
 * Reads the arguments of `npm start`. The result has exactly one of: `help` (true), `fault` (one line with the fault and the
 * remedy), `options` (paths absolute; `catalog` is null when none was named).
 * @param {readonly string[]} argv without the interpreter and the script
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {{ readonly root: string, readonly cwd: string }} folders the repository, and the user's current folder
 */
export function parseStartArguments(argv, env, folders) {
  /** @type {Record<string, string>} */
  const given = {};
  const unreadable = unreadableArgument(argv);
  if (unreadable !== null) return fault(`Argument ${unreadable}`);
  for (let index = 0; index < argv.length; index += 1) {
    const [name, inline] = splitOption(argv[index]);
    if (name === '--help' || name === '-h') return { help: true };
    if (!TAKES_VALUE.has(name)) return fault(`Unknown argument ${argv[index]}.`);
    const value = inline ?? argv[(index += 1)];
    if (value === undefined || value === '') return fault(`${name} needs a value.`);
    given[name] = value;
  }
  const port = readCount(given['--port'] ?? (env.PORT || PORT_DEFAULT), PORT_MAX);
  if (port === null) {
    const from = given['--port'] === undefined ? 'PORT' : '--port';
    return fault(`${from} must be a whole number from 1 to ${PORT_MAX}.`);
  }
  const replicas = readCount(given['--replicas'] ?? '1', REPLICAS_MAX);
  if (replicas === null) return fault(`--replicas must be a whole number from 1 to ${REPLICAS_MAX}.`);
  const catalog = given['--catalog'] === undefined ? null : path.resolve(folders.cwd, given['--catalog']);
  if (catalog !== null && !isReadableFile(catalog)) return fault(`Cannot read the catalog file ${catalog}.`);
  const dataDir =
    given['--data'] === undefined
      ? path.join(folders.root, '.data')
      : path.resolve(folders.cwd, given['--data']);
  return { options: { catalog, dataDir, port, topology: { replicas, redisCluster: null } } };
}

/** @param {string} argument */
function splitOption(argument) {
  const equals = argument.indexOf('=');
  if (!argument.startsWith('--') || equals < 0) return [argument, undefined];
  return [argument.slice(0, equals), argument.slice(equals + 1)];
}

/**
 * A whole number from 1 to `max`, else null.
 * @param {string} text
 * @param {number} max
 */
function readCount(text, max) {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= max ? count : null;
}

/** @param {string} file */
function isReadableFile(file) {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @param {string} text */
function fault(text) {
  // Control characters are shown as escapes, so that a terminal does not obey them.
  const shown = text.replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`,
  );
  return { fault: `${shown} See: npm start -- --help` };
}
