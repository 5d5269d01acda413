import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtScript, prepare, root } from '../local/bootstrap/prepare.mjs';
import { closeContainers, imageFacts, openContainers, runInImage } from './containers.mjs';
import { reachedAt, readArguments, serveFirstAd } from './first-ad.mjs';

const HELP = `Starts the whole product from its images on this machine, with its own stores, on loopback only.

Usage: deploy/images/start [options]

  --tag TAG      tag of the images (default: those of the last builds)
  --prefix NAME  prefix of the service's name (default: placard/)
  --port N       port of the gateway (default: 8080)
  --once         serves a first ad, settles it, verifies the books and stops; exit status 0 means success
  --help         this text

Uses the images that deploy/images/build made with buildah. Each process runs as the image's user in the image's file
system, which is read-only but for /var/cache/placard. Needs root and Linux. The data is removed at the end.`;

/** The app of the demo catalog. */
const DEMO_APP = { app_key: 'app_0123456789abcdefghijABCD', package_name: 'com.sunrise.puzzle' };

const { values, fault } = readArguments(process.argv.slice(2));
if (fault !== undefined) fail(`${fault} See: deploy/images/start --help`, 2);
else if (values.help) console.log(HELP);
else process.exitCode = await start(values);

/** The tag that `build` has recorded for a service; `dev` when it was not built, so that the error names the missing image. */
function lastTag(service) {
  const file = path.join(root, '.data', 'images', `${service}.tag`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'dev';
}

function fail(text, status = 1) {
  console.error(`deploy/images/start: ${text}`);
  process.exitCode = status;
}

async function start({ tag, prefix, port, once }) {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    fail('needs Linux and root: it mounts the images. Run it as root, or use deploy/compose with Docker.');
    return 1;
  }
  const node = await prepare((text) => console.log(text));
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-images-'));
  chmodSync(dir, 0o711);
  const servicesDir = path.join(dir, 'services');
  let containers = [];
  try {
    containers = openContainers((service) => `${prefix}${service}:${tag ?? lastTag(service)}`, servicesDir);
    const options = { catalog: null, dataDir: path.join(dir, 'data'), port: Number(port), servicesDir };
    const product = runProduct(node, options);
    if (once) product.whenReady((ready) => check(ready, servicesDir, options.dataDir));
    return await product.ended;
  } catch (error) {
    fail(error.message);
    return 1;
  } finally {
    closeContainers(containers);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs the product of `npm start` with the services of the images. It stops with this process. */
function runProduct(node, options) {
  const key = () => randomBytes(32).toString('base64url');
  // Secrets are in the environment, not in files: the image's user cannot read this user's files.
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    SESSION_TOKEN_KEYS: `k1:${key()}`,
    IMPRESSION_TOKEN_KEYS: `k1:${key()}`,
    NETWORK_HASH_KEY: key(),
  };
  const child = fork(builtScript('main.js'), [JSON.stringify(options)], { execPath: node, env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  let checked = 0;
  const ended = new Promise((resolve) => child.once('exit', (status) => resolve(status || checked)));
  const whenReady = (work) =>
    child.on('message', async (message) => {
      if (message.kind !== 'ready') return;
      checked = await work(reachedAt(message));
      child.kill('SIGTERM');
    });
  return { ended, whenReady };
}

/** Returns 0 when an ad was served from the images and settled, and the books add up. */
async function check({ gatewayUrl, consoleAddress }, servicesDir, dataDir) {
  try {
    console.log(`Served: ${await serveFirstAd(gatewayUrl, DEMO_APP)}`);
    const facts = imageFacts(servicesDir, 'console-service');
    process.env.PLACARD_ADDRESS = consoleAddress;
    process.env.PLACARD_KEY = readFileSync(path.join(dataDir, 'keys', 'operator'), 'utf8').trim();
    for (const args of [
      ['ledger', 'verify', '--wait'],
      ['report', '--by', 'campaign'],
    ]) {
      console.log(`placard ${args.join(' ')}`);
      const status = await runInImage(facts, ['bin/placard.mjs', ...args]);
      if (status !== 0) return status;
    }
    return 0;
  } catch (error) {
    fail(error.message);
    return 1;
  }
}
