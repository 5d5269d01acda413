import { failure, startUntilReady } from './readiness.js';
import { ManagedProcess, type Surroundings } from './process/managed-process.js';
import {
  entryOf,
  plainName,
  replicaName,
  replicasOf,
  services,
  stopOrder,
  type Instance,
  type ServiceEntry,
  type ServiceName,
} from './services.js';
import { migrationSpec, serviceSpec } from './process-specs.js';
import { StartError } from './start-error.js';

/** All processes of one instance. */
export class Fleet {
  readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Migrates the tables of every owner; throws a {@link StartError} with the fault. */
  async migrate(instance: Instance): Promise<void> {
    const managed = new ManagedProcess(migrationSpec(instance), this.around);
    const { status, how } = await managed.start();
    if (status !== 0) throw new StartError(failure(managed, how));
  }

  /** Starts one process and waits until it is ready. */
  async start(instance: Instance, name: ServiceName, replica = 1): Promise<void> {
    const managed = new ManagedProcess(serviceSpec(instance, entryOf(name), replica), this.around);
    await startUntilReady(managed);
    this.around.say.info(`  ${managed.spec.name} is ready.`);
  }

  /** Stops a process and starts it with the settings of `instance`; waits until it is ready. */
  async startAnew(instance: Instance, name: ServiceName): Promise<void> {
    const { fleet } = this.around;
    const before = this.find(name);
    if (before !== undefined) {
      await before.stop();
      fleet.splice(fleet.indexOf(before), 1);
    }
    await this.start(instance, name);
  }

  /**
   * Starts the remaining processes together, and then the gateways. So the first request of a phone finds every process
   * connected to its peers.
   */
  async startRest(instance: Instance): Promise<void> {
    for (let replica = 1; replica <= 1 + instance.moreReplicas.length; replica += 1) {
      const isMissing = ({ name }: ServiceEntry): boolean =>
        replica <= replicasOf(instance, name) && this.find(replicaName(name, replica)) === undefined;
      const missing = services.filter(isMissing);
      const inner = missing.filter(({ name }) => name !== 'gateway');
      await Promise.all(inner.map(({ name }) => this.start(instance, name, replica)));
      if (inner.length < missing.length) await this.start(instance, 'gateway', replica);
    }
  }

  /** Starts a process that was killed on purpose; waits until it is ready. */
  async restart(name: string): Promise<void> {
    const managed = this.find(name);
    if (managed === undefined) throw new Error(`no process ${name}`);
    await startUntilReady(managed);
    managed.keepAlive();
  }

  /** Starts processes again after a crash, from now on. */
  keepAlive(): void {
    for (const managed of this.around.fleet) {
      if (stopOrder.flat().includes(plainName(managed.spec.name))) managed.keepAlive();
    }
  }

  /** The process with a name; undefined when it was not made. */
  find(name: string): ManagedProcess | undefined {
    return this.around.fleet.find((managed) => managed.spec.name === name);
  }

  /** Whether any process of the product or its stores was made. */
  get hasProcesses(): boolean {
    return this.around.fleet.length > 0;
  }

  /** Ids of running processes by name. */
  pids(): Readonly<Record<string, number>> {
    const running = this.around.fleet.flatMap(({ pid, spec }) =>
      pid === null ? [] : [[spec.name, pid] as const],
    );
    return Object.fromEntries(running);
  }

  /** Stops everything group by group. Processes without a group, such as migrations, come first. */
  async stop(): Promise<void> {
    const named = stopOrder.flat();
    const all = this.around.fleet;
    await stopAll(all.filter(({ spec }) => !named.includes(plainName(spec.name))));
    for (const group of stopOrder) {
      await stopAll(all.filter(({ spec }) => group.includes(plainName(spec.name))));
    }
  }
}

async function stopAll(processes: readonly ManagedProcess[]): Promise<void> {
  await Promise.all(processes.map((managed) => managed.stop()));
}
