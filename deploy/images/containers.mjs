import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from './contents.mjs';
import { fatOf } from './lean.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = path.resolve(folder, '../..');
const store = path.join(root, '.data', 'images');

/** Variables that are not passed into an image, because the image has its own. */
const OUTSIDE = /^(PATH|HOME|PWD|NODE_COMPILE_CACHE|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|LC_ALL|npm_.*)$/;
const FAULTS_SHOWN_MAX = 5;
const CATALOG_CACHE_FILE = '/var/cache/placard/catalog';

/**
 * Runs buildah; throws an error with its message in one line.
 * @param {readonly string[]} args
 */
function buildah(...args) {
  const place = ['--root', path.join(store, 'store'), '--runroot', path.join(store, 'run')];
  try {
    const stdio = ['ignore', 'pipe', 'pipe'];
    return execFileSync('buildah', [...place, ...args], { encoding: 'utf8', stdio }).trim();
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Error('there is no buildah. Install the package buildah.', { cause: error });
    const why = error.stderr.trim().split('\n').at(-1);
    throw new Error(`buildah ${args[0]}: ${why}. Were the images built? See: deploy/images/build --help`, {
      cause: error,
    });
  }
}

/**
 * Mounts the file system of each image and makes a folder of scripts with which `deploy/local` starts the processes in the
 * images. Throws when an image is missing or is not lean.
 * @param {(service: string) => string} imageOf
 * @param {string} dir for the scripts; each package has its folder in it
 */
export function openContainers(imageOf, dir) {
  const containers = [];
  mkdirSync(dir, { mode: 0o711 });
  try {
    for (const service of SERVICES) {
      const image = imageOf(service);
      const container = buildah('from', '--pull-never', image);
      containers.push(container);
      const { config } = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker;
      const facts = { fileSystem: buildah('mount', container), config };
      const fat = fatOf(facts.fileSystem);
      if (fat.length > 0)
        throw new Error(`${image} is not lean: ${fat.slice(0, FAULTS_SHOWN_MAX).join('; ')}`);
      writeScripts(path.join(dir, service), facts);
    }
    linkPackage(dir, 'service-kit', ['index']);
  } catch (error) {
    closeContainers(containers);
    throw error;
  }
  return containers;
}

/** @param {readonly string[]} containers */
export function closeContainers(containers) {
  for (const container of containers) buildah('rm', container);
}

/** Writes a script for each entry of the image. Settings are checked with the code of the working tree. */
function writeScripts(dir, facts) {
  linkPackage(path.dirname(dir), path.basename(dir), ['config']);
  for (const entry of ['main', 'worker', 'migrate']) {
    const run = `const status = await runInImage(${JSON.stringify(facts)}, ['dist/${entry}.js']);`;
    // Migrations are imported one after the other.
    const end = entry === 'migrate' ? 'if (status !== 0) process.exit(status);' : 'process.exit(status);';
    const text = [`import { runInImage } from ${JSON.stringify(import.meta.url)};`, run, end, ''].join('\n');
    writeFileSync(path.join(dir, 'dist', `${entry}.js`), text);
  }
  writeFileSync(path.join(dir, 'image.json'), JSON.stringify(facts));
}

/**
 * The file system and the config of an image, as {@link openContainers} has recorded them.
 * @param {string} dir
 * @param {string} service
 */
export function imageFacts(dir, service) {
  return JSON.parse(readFileSync(path.join(dir, service, 'image.json'), 'utf8'));
}

function linkPackage(dir, name, modules) {
  const dist = path.join(dir, name, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(path.join(dir, name, 'package.json'), '{ "type": "module" }\n');
  for (const module of modules) {
    const built = new URL(`../../${name}/dist/${module}.js`, import.meta.url).href;
    writeFileSync(path.join(dist, `${module}.js`), `export * from ${JSON.stringify(built)};\n`);
  }
}

/**
 * Runs a command of an image and returns its exit status. Passes signals on. The channel to the parent process ends with this
 * process, so that the command ends too.
 * @param {{ readonly fileSystem: string, readonly config: object }} facts
 * @param {readonly string[]} args arguments after the image's entry point
 */
export async function runInImage(facts, args) {
  const { config } = facts;
  const own = Object.entries(process.env).filter(([name]) => !OUTSIDE.test(name));
  const env = {
    ...Object.fromEntries(config.Env.map((text) => splitSetting(text))),
    ...Object.fromEntries(own),
    CATALOG_CACHE_FILE,
  };
  const command = [...config.Entrypoint, ...args];
  const place = [facts.fileSystem, config.User, config.WorkingDir];
  const stdio = ['ignore', 'inherit', 'inherit', ...(process.channel === undefined ? [] : ['ipc'])];
  const child = spawn('/usr/bin/unshare', ['--mount', path.join(folder, 'enter'), ...place, ...command], {
    env,
    stdio,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const leave = () => child.connected && child.disconnect();
  process.on('disconnect', leave);
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`could not be run in its image: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code, signal) => resolve(signal === null ? code : 1));
  });
  process.off('disconnect', leave);
  return status;
}

function splitSetting(text) {
  const equals = text.indexOf('=');
  return [text.slice(0, equals), text.slice(equals + 1)];
}
