import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDataFolder } from './data-folder.js';
import { rootDir, type HeapsMiB } from './layout.js';
import { isPortFree } from './ports.js';
import type { ProductAddresses, ProductMessage, ProductRequest } from './product-channel.js';
import type { RunOptions } from './run.js';
import type { Ports, ReplicaPorts, Routes } from './services.js';
import { planPorts, SINGLE, type PlannedPorts, type Topology } from './topology.js';

/** Options of a product for a test. */
export interface ProductOptions {
  /**
   * Settings over those of this process, such as `SESSION_TTL_SECONDS`. Without `DATABASE_URL` and `REDIS_URL` the
   * product has built-in stores of its own, which can then be killed by the names `postgres` and `redis`.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** A catalog file to apply; default: the demo catalog. */
  readonly catalog?: string;
  /** Data folder, which is kept after the stop; default: a temporary folder that is removed. */
  readonly dataDir?: string;
  /** Port of the gateway; default: a free one. */
  readonly port?: number;
  /**
   * Receives the ports on which the product will listen, and returns other ports by which its processes connect to each other
   * and to the stores.
   */
  readonly routes?: (ports: Ports, moreReplicas: readonly ReplicaPorts[]) => Promise<Routes>;
  /**
   * Folder of the services, each in a folder of its name; default: this repository. A restarted process runs the code that is
   * there at that time.
   */
  readonly servicesDir?: string | undefined;
  /** A folder with the certificates of the processes, see `Instance`; default: without TLS. */
  readonly certificatesDir?: string | undefined;
  /** False: services want no keys of each other, since processes of earlier releases run among them; default: true. */
  readonly hasCallKeys?: boolean | undefined;
  /** Heap sizes of services, like the limits of a pod; default: that of Node.js, by the memory of the machine. */
  readonly heapsMiB?: HeapsMiB | undefined;
  /** Stops the product as soon as it is aborted, even during the start; default: only `stop` does. */
  readonly stopping?: AbortSignal | undefined;
  /** Number of replicas; default: one of each. Further replicas are named `gateway-2`, …, cluster nodes `redis-1`, … */
  readonly topology?: Topology | undefined;
}

/** A running product with the processes of `npm start`. */
export interface Product {
  /** URL of the first gateway. */
  readonly gatewayUrl: string;
  readonly addresses: ProductAddresses;
  /** Address of console-service's gRPC for operators, for `PLACARD_ADDRESS`. */
  readonly consoleAddress: string;
  readonly dataDir: string;
  /** Current process ids by name: `gateway`, `session-service`, … , `settlement-worker`, `postgres`, `redis`. */
  readonly pids: Readonly<Record<string, number>>;
  /** Id of the process that started all others. */
  readonly pid: number;
  /** Kills one process (SIGKILL). It stays down until `restart`. */
  kill(name: string): Promise<void>;
  /** Stops one process cleanly. It stays down until `restart`. */
  stopProcess(name: string): Promise<void>;
  /** Starts one process again and waits until it is ready. */
  restart(name: string): Promise<void>;
  /** All output so far. */
  output(): string;
  /** Stops everything and waits; returns the exit status. A second call returns the same. */
  stop(): Promise<number>;
}

/** The API key of operators in the products of {@link startProduct}, unless their environment names another. */
export const OPERATOR_KEY = `plk_${'0'.repeat(16)}_${'0'.repeat(64)}`;

const PORT_TRIES_MAX = 100;
const PORT_MIN = 30_001;
const PORT_SPAN = 2_000;

/**
 * Starts the built product as a child process, and waits until it answers. It ends with this process, even when this process
 * is killed. Rejects with its output when it does not start.
 */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  await ensureBuilt();
  const dataDir = path.resolve(options.dataDir ?? temporaryDir());
  const { topology = SINGLE, routes } = options;
  const run: RunOptions = {
    topology,
    catalog: options.catalog === undefined ? null : path.resolve(options.catalog),
    dataDir,
    port: options.port ?? (await freePort()),
    servicesDir: options.servicesDir,
    certificatesDir: options.certificatesDir,
    hasCallKeys: options.hasCallKeys,
    heapsMiB: options.heapsMiB,
    routes: routes === undefined ? undefined : await routesFor(await plannedIn(dataDir, topology), routes),
  };
  const script = path.join(rootDir, 'deploy', 'local', 'dist', 'main.js');
  const child = spawn(process.execPath, [script, JSON.stringify(run)], {
    env: { BOOTSTRAP_KEY: OPERATOR_KEY, ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stopping } = options;
  const end = (): void => void child.kill('SIGTERM');
  stopping?.addEventListener('abort', end);
  child.once('close', () => stopping?.removeEventListener('abort', end));
  if (stopping?.aborted === true) end();
  const handle = new ProductHandle(child, run.dataDir, options.dataDir === undefined);
  await handle.ready();
  return handle;
}

/** Throws when sources changed since the last build: a test would not test them. */
async function ensureBuilt(): Promise<void> {
  const file = new URL('../bootstrap/build.mjs', import.meta.url).href;
  const bootstrap = (await import(file)) as {
    ensureBuilt(root: string, say: (text: string) => void): Promise<void>;
  };
  await bootstrap.ensureBuilt(rootDir, () => undefined);
}

function temporaryDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-product-'));
  chmodSync(dir, 0o711);
  return dir;
}

/** The ports that the product will use, from its data folder. */
function plannedIn(dataDir: string, topology: Topology): Promise<PlannedPorts> {
  return planPorts(openDataFolder(dataDir).at('ports.json'), topology);
}

function routesFor(
  { ports, moreReplicas }: PlannedPorts,
  routes: NonNullable<ProductOptions['routes']>,
): Promise<Routes> {
  return routes(ports, moreReplicas);
}

async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_TRIES_MAX; attempt += 1) {
    const port = PORT_MIN + Math.floor(Math.random() * PORT_SPAN);
    if (await isPortFree(port, '0.0.0.0')) return port;
  }
  throw new Error('no free port was found for the gateway');
}

class ProductHandle implements Product {
  addresses: ProductAddresses = { gatewayUrls: [], consoleAddress: '', redisUrl: '', databaseUrls: {} };
  pids: Readonly<Record<string, number>> = {};
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<number>;
  readonly #waiting = new Map<number, (fault: string | null) => void>();
  #output = '';
  #nextId = 1;
  #onReady: () => void = () => undefined;

  constructor(child: ChildProcess, dataDir: string, isTemporary: boolean) {
    this.#child = child;
    this.dataDir = dataDir;
    const keep = (chunk: Buffer): void => void (this.#output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('message', (message) => this.#receive(message as ProductMessage));
    this.#exited = new Promise((resolve) => {
      child.once('close', (status) => {
        if (isTemporary) rmSync(dataDir, { recursive: true, force: true });
        for (const answer of this.#waiting.values()) answer('the product has ended');
        resolve(status ?? 1);
      });
    });
  }

  get gatewayUrl(): string {
    return this.addresses.gatewayUrls[0] ?? '';
  }

  get consoleAddress(): string {
    return this.addresses.consoleAddress;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves when the product answers; rejects with its output when it ends before. */
  async ready(): Promise<void> {
    const ready = new Promise<void>((resolve) => (this.#onReady = resolve));
    const ended = this.#exited.then((status) => {
      throw new Error(`The product ended with status ${status} instead of starting:\n${this.#output}`);
    });
    await Promise.race([ready, ended]);
    ended.catch(() => undefined);
  }

  kill(name: string): Promise<void> {
    return this.#ask('kill', name);
  }

  stopProcess(name: string): Promise<void> {
    return this.#ask('stop', name);
  }

  restart(name: string): Promise<void> {
    return this.#ask('restart', name);
  }

  output(): string {
    return this.#output;
  }

  stop(): Promise<number> {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  #ask(action: ProductRequest['action'], name: string): Promise<void> {
    const request: ProductRequest = { id: this.#nextId++, action, name };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, (fault) => {
        this.#waiting.delete(request.id);
        if (fault === null) resolve();
        else reject(new Error(`${action} ${name}: ${fault}`));
      });
      this.#child.send(request);
    });
  }

  #receive(message: ProductMessage): void {
    this.pids = message.pids;
    if (message.kind === 'done') {
      this.#waiting.get(message.id)?.(message.fault);
      return;
    }
    this.addresses = message.addresses;
    this.#onReady();
  }
}
