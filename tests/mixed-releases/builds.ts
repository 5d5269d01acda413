import { mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Product } from '@placard/local';
import { ROOT } from '../driver/placard.js';

/** The build of a service. */
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

/** Processes that share the rules of budgets. They are replaced together when two releases differ in these rules. */
export const BUDGET_PROCESSES = [
  'events-service',
  'settlement-worker',
  'serving-service',
] as const satisfies readonly ProcessName[];

/** Processes that work beside any neighbouring release. */
export const LONE_PROCESSES: readonly ProcessName[] = PROCESSES.filter(
  (name) => !BUDGET_PROCESSES.some((each) => each === name),
);

/** A folder in which each package is a link to one of two builds. */
export class Builds {
  readonly #dirs: Readonly<Record<Build, string>>;

  /** `dir` is the folder of the links, `previousDir` the checkout of the previous release. */
  constructor(
    readonly dir: string,
    previousDir: string,
  ) {
    this.#dirs = { current: ROOT, previous: previousDir };
  }

  /** Makes the folder with every package of one build. */
  async open(build: Build): Promise<void> {
    await mkdir(this.dir);
    const packages = new Set(['service-kit', ...Object.values(PACKAGE_OF)]);
    for (const name of packages) await this.#link(name, build);
  }

  /** Replaces a running process by the one of a build, and waits until it is ready. */
  async swap(product: Product, process: ProcessName, build: Build): Promise<void> {
    await this.#link(PACKAGE_OF[process], build);
    await product.stopProcess(process);
    await product.restart(process);
  }

  /**
   * Replaces the processes that keep budgets, in the order of docs/deploying.md: serving-service stops, the others are replaced,
   * and serving-service starts. `between` runs after serving-service has stopped.
   */
  async swapBudgets(
    product: Product,
    build: Build,
    between: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await product.stopProcess('serving-service');
    await between();
    for (const name of BUDGET_PROCESSES) {
      if (name !== 'serving-service') await this.swap(product, name, build);
    }
    await this.#link('serving-service', build);
    await product.restart('serving-service');
  }

  async #link(name: string, build: Build): Promise<void> {
    const link = path.join(this.dir, name);
    await symlink(path.join(this.#dirs[build], name), `${link}.new`);
    await rename(`${link}.new`, link);
  }
}
