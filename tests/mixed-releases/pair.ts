import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { OPERATOR_KEY, startProduct, type Product } from '@placard/local';
import { portsOf } from '../driver/ports.js';
import { CURRENT, hasManageApi, Links, type Build, type Group } from './builds.js';
import { lifeCatalog, liveWholeLife, type MixedProduct } from './life.js';
import { openAdsCatalog } from './open-ads.js';

/** Services that own tables. */
const MIGRATING = ['events-service', 'fraud-service', 'console-service'];

const run = promisify(execFile);

/** A product in which each process is of one of two releases. It starts with the older one and its tables. */
export class Pair implements MixedProduct {
  private constructor(
    readonly older: Build,
    readonly newer: Build,
    readonly product: Product,
    readonly links: Links,
  ) {}

  /** Starts the product with its own stores. `dir`: an existing folder for it. */
  static async open(older: Build, newer: Build, dir: string): Promise<Pair> {
    const own = path.join(dir, `${older.name}-${newer.name}`);
    await mkdir(own, { mode: 0o711 });
    const links = new Links(path.join(own, 'services'));
    await links.open(older);
    const catalog = path.join(own, 'catalog.json');
    const [life, open] = [lifeCatalog, openAdsCatalog];
    await writeFile(
      catalog,
      JSON.stringify({
        publishers: [...life.publishers, ...open.publishers],
        advertisers: [...life.advertisers, ...open.advertisers],
      }),
    );
    const product = await startProduct({
      catalog,
      dataDir: path.join(own, 'data'),
      servicesDir: links.dir,
      hasCallKeys: false,
      // Empty: the product starts its own stores. They have the tables of the older release until the upgrade.
      env: { DATABASE_URL: '', REDIS_URL: '', MIN_CLICK_DELAY_MS: '0' },
    });
    return new Pair(older, newer, product, links);
  }

  /**
   * Replaces a group by that of the newer release. The migrations of the working tree, which every recorded release must live
   * with, are applied when the first process has stopped.
   */
  async upgrade(group: Group): Promise<void> {
    await this.links.swap(this.product, group, this.newer, async () => {
      for (const name of MIGRATING) {
        const script = path.join(CURRENT.dir, name, 'dist', 'migrate.js');
        const url = this.product.addresses.databaseUrls[name];
        await run(process.execPath, [script], { env: { ...process.env, DATABASE_URL: url } });
      }
    });
  }

  /** Replaces groups, one after the other. */
  async swap(groups: readonly Group[], build: Build): Promise<void> {
    for (const group of groups) await this.links.swap(this.product, group, build);
  }

  /** Tests a group of one build among processes of the other, `around`. */
  async mix(group: Group, build: Build, around: Build): Promise<void> {
    await this.swap([group], build);
    try {
      await liveWholeLife(this);
    } finally {
      await this.swap([group], around);
    }
  }

  async readPlacard(...args: readonly string[]): Promise<unknown> {
    const build = this.links.buildOf('console-service');
    const script = path.join(build.dir, 'console-service', 'bin', 'placard.mjs');
    const PLACARD_ADDRESS = hasManageApi(build) ? this.product.consoleAddress : await this.#grpcAddress();
    const env = { ...process.env, PLACARD_ADDRESS, PLACARD_KEY: OPERATOR_KEY };
    const { stdout } = await run(process.execPath, [script, ...args, '--json'], { env });
    return JSON.parse(stdout);
  }

  /** That of console-service. */
  async #grpcAddress(): Promise<string> {
    const ports = await portsOf(this.product.dataDir);
    return `127.0.0.1:${ports['console-service.grpc']}`;
  }
}
