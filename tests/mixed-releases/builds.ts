import { mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Product } from '@placard/local';
import { ROOT } from '../driver/placard.js';

/** A built checkout of the repository. */
export interface Build {
  /** The version of a release, or `current`. */
  readonly name: string;
  readonly dir: string;
}

/** The build of the working tree. */
export const CURRENT: Build = { name: 'current', dir: ROOT };

/** Releases whose `placard` command calls console-service by gRPC. */
const WITHOUT_MANAGE_API: ReadonlySet<string> = new Set(['0.1.0']);

/** Whether console-service of a build serves the management API, and its `placard` command calls it. */
export function hasManageApi({ name }: Build): boolean {
  return !WITHOUT_MANAGE_API.has(name);
}

/** The processes, and the package that each is built from. */
const PACKAGE_OF = {
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

/** Processes that are replaced together. The first stops before the others are replaced, and starts after them. */
export type Group = readonly [ProcessName, ...ProcessName[]];

/** Releases that count budgets in Redis. Their processes cannot keep budgets beside those of other releases. */
const BUDGETS_IN_REDIS: ReadonlySet<string> = new Set(['0.1.0']);
const BUDGET_GROUP: Group = ['serving-service', 'events-service', 'settlement-worker'];

/** All processes, in the groups that are replaced together between two releases. The first group keeps budgets. */
export function groupsBetween(one: string, other: string): readonly [Group, ...Group[]] {
  const areTogether = BUDGETS_IN_REDIS.has(one) !== BUDGETS_IN_REDIS.has(other);
  const rest = (Object.keys(PACKAGE_OF) as ProcessName[]).filter((name) => !BUDGET_GROUP.includes(name));
  const alone = (areTogether ? rest : [...BUDGET_GROUP.slice(1), ...rest]).map((name): Group => [name]);
  return [areTogether ? BUDGET_GROUP : [BUDGET_GROUP[0]], ...alone];
}

/** A folder in which each package is a link to one of the builds. */
export class Links {
  readonly #builds = new Map<string, Build>();

  /** `dir`: the folder, which {@link Links.open} makes. */
  constructor(readonly dir: string) {}

  /** The build to which the package of a process is a link. The folder must be open. */
  buildOf(name: ProcessName): Build {
    const build = this.#builds.get(PACKAGE_OF[name]);
    if (build === undefined) throw new Error(`${name} has no build`);
    return build;
  }

  /** Makes the folder with every package of one build. */
  async open(build: Build): Promise<void> {
    await mkdir(this.dir);
    const packages = new Set(['service-kit', ...Object.values(PACKAGE_OF)]);
    for (const name of packages) await this.#link(name, build);
  }

  /**
   * Replaces the running processes of a group by those of a build, and waits until they are ready. `between` runs after the
   * first has stopped.
   */
  async swap(
    product: Product,
    [first, ...others]: Group,
    build: Build,
    between: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await product.stopProcess(first);
    await between();
    for (const name of others) {
      await this.#link(PACKAGE_OF[name], build);
      await product.stopProcess(name);
      await product.restart(name);
    }
    await this.#link(PACKAGE_OF[first], build);
    await product.restart(first);
  }

  async #link(name: string, build: Build): Promise<void> {
    const link = path.join(this.dir, name);
    await symlink(path.join(build.dir, name), `${link}.new`);
    await rename(`${link}.new`, link);
    this.#builds.set(name, build);
  }
}
