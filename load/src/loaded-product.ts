import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  services,
  startProduct,
  type HeapsMiB,
  type Ports,
  type Product,
  type Routes,
  type ServiceName,
} from '@placard/local';
import { makeTestAuthority } from '@placard/service-kit/testing/certificates';
import type { Keys } from './generator/supply.js';
import { makeMarket } from './market/market.js';
import type { Target } from './operations.js';
import { profilingEnvironment } from './profile/profiles.js';
import { openStub, type Stub } from './stub/open-stub.js';
import { ADDRESS_PORTS, stubRoutes } from './stub/routes.js';

/** A product that was started for a load. */
export interface LoadedProduct {
  readonly product: Product;
  readonly ports: Ports;
  readonly keys: Keys;
  /** The applied catalog file. */
  readonly catalogFile: string;
  /** The stub for the services behind the target; null: none. */
  readonly stub: Stub | null;
  /** Folder for profiles; null: none are written. */
  readonly profileDir: string | null;
  readonly redisUrl: string;
  /** `host:port`. */
  addressOf(target: Target): string;
  close(): Promise<void>;
}

/** Options of a product for a load. */
export interface ProductWish {
  /** A catalog file; null: a generated one. */
  readonly catalog: string | null;
  readonly catalogSize: number;
  readonly seed: number;
  /** The target whose neighbours are replaced by a stub; null: none. */
  readonly stubFor: Target | null;
  readonly profiles: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the services call each other with TLS; default: without. */
  readonly usesTls?: boolean;
  /** Heap sizes of services; default: that of Node.js. */
  readonly heapsMiB?: HeapsMiB;
  /** Stops the product when it is aborted; default: only `close` does. */
  readonly stopping?: AbortSignal;
}

const KEY_BYTES = 32;

/** Starts a product with its own stores, unless `DATABASE_URL` or `REDIS_URL` of this process name others. */
export async function openLoadedProduct(wish: ProductWish): Promise<LoadedProduct> {
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-load-'));
  const catalogFile = wish.catalog === null ? path.join(dir, 'catalog.json') : path.resolve(wish.catalog);
  if (wish.catalog === null)
    writeFileSync(catalogFile, JSON.stringify(makeMarket(wish.catalogSize, wish.seed)));
  const profileDir = wish.profiles ? mkdtempSync(path.join(tmpdir(), 'placard-profile-')) : null;
  const keys = { session: makeRing(), impression: makeRing() };
  const stub = wish.stubFor === null ? null : await openStub();
  const known: Ports[] = [];
  const cleanUp = (): void => {
    stub?.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const product = await startProduct({
      catalog: catalogFile,
      stopping: wish.stopping,
      heapsMiB: wish.heapsMiB,
      certificatesDir: wish.usesTls === true ? await issueCertificates(path.join(dir, 'tls')) : undefined,
      env: {
        LOG_LEVEL: 'warn',
        SESSION_TOKEN_KEYS: keys.session,
        IMPRESSION_TOKEN_KEYS: keys.impression,
        ...(profileDir === null ? {} : profilingEnvironment(profileDir)),
        ...wish.env,
      },
      routes: (ports) => {
        known.push(ports);
        return Promise.resolve(routesFor(wish.stubFor, stub));
      },
    });
    const ports = known[0];
    if (ports === undefined) throw new Error('the product did not say its ports');
    return {
      product,
      ports,
      keys,
      catalogFile,
      stub,
      profileDir,
      redisUrl: product.addresses.redisUrl,
      addressOf: (target) =>
        target === 'gateway' ? new URL(product.gatewayUrl).host : `127.0.0.1:${ports[ADDRESS_PORTS[target]]}`,
      close: async () => {
        await product.stop();
        cleanUp();
      },
    };
  } catch (error) {
    cleanUp();
    throw error;
  }
}

/** Issues a certificate for each service and for operators; returns the folder. */
async function issueCertificates(dir: string): Promise<string> {
  const authority = await makeTestAuthority();
  const holders = [...new Set(services.map(({ service }) => service)), 'operator'];
  await Promise.all(holders.map((name) => authority.issueTo(path.join(dir, name), { names: [name] })));
  return dir;
}

/** The metrics URL of a process of a product. */
export function metricsUrlOf({ ports }: Pick<LoadedProduct, 'ports'>, process: ServiceName): string {
  return `http://127.0.0.1:${ports[`${process}.metrics`]}/metrics`;
}

function routesFor(target: Target | null, stub: Stub | null): Routes {
  return target === null || stub === null ? {} : stubRoutes(target, stub.port);
}

function makeRing(): string {
  return `load:${randomBytes(KEY_BYTES).toString('base64url')}`;
}
