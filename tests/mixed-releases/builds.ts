import { mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Product } from '@placard/local';
import { ROOT } from '../driver/placard.js';

/** Which build of a service. */
export type Build = 'current' | 'previous';

/** The processes, and the package that each is built from. */
export const PACKAGE_OF = {
  gateway: 'gateway',
  'session-service': 'session-service',
  'serving-service': 'serving-service',
  'events-service': 'events-service',
  'settlement-worker': 'events-service',
  'fraud-service': 'fraud-service',
  'console-service': 'console-service',
} as const;

/** One of them. */
export type ProcessName = keyof typeof PACKAGE_OF;

/** All of them. */
export const PROCESSES = Object.keys(PACKAGE_OF) as readonly ProcessName[];

/** A folder in which each package is a link to one of two builds. */
export class Builds {
  readonly #dirs: Readonly<Record<Build, string>>;

  /** `dir` is where the links are made, `previousDir` the checkout of the previous release. */
  constructor(
    readonly dir: string,
    previousDir: string,
  ) {
    this.#dirs = { current: ROOT, previous: previousDir };
  }

  /** Makes the folder with every package as it is now. */
  async open(): Promise<void> {
    await mkdir(this.dir);
    const packages = new Set(['service-kit', ...Object.values(PACKAGE_OF)]);
    for (const name of packages) await this.#link(name, 'current');
  }

  /** Replaces a running process by that of a build, and waits until it is ready. */
  async swap(product: Product, process: ProcessName, build: Build): Promise<void> {
    await this.#link(PACKAGE_OF[process], build);
    await product.stopProcess(process);
    await product.restart(process);
  }

  async #link(name: string, build: Build): Promise<void> {
    const link = path.join(this.dir, name);
    await symlink(path.join(this.#dirs[build], name), `${link}.new`);
    await rename(`${link}.new`, link);
  }
}
