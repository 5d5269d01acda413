import path from 'node:path';
import { sameForAll } from '../database-roles.js';
import { given } from './given.js';
import type { Surroundings } from '../process/managed-process.js';
import { runCommand } from '../process/run-command.js';
import { CHECKS_NAME, EVERY_PROCESS, EXIT_CONFIG, type SettingsCheck } from '../process/settings-faults.js';
import { environmentOf } from '../environment.js';
import { services, type Instance } from '../services.js';
import { StartError } from '../start-error.js';
import { withoutTls } from './tls-settings.js';
import { clusterUrlOf } from '../stores/redis-cluster.js';
import type { PlannedPorts } from '../topology.js';

/** Addresses of the stores before they run: those in the environment, else those of the built-in stores. */
export function plannedStores(
  { ports, redisCluster }: Pick<PlannedPorts, 'ports' | 'redisCluster'>,
  env: NodeJS.ProcessEnv,
): Pick<Instance, 'databaseUrls' | 'redisUrl'> {
  const redisUrl = redisCluster === null ? `redis://127.0.0.1:${ports.redis}` : clusterUrlOf(redisCluster);
  return {
    databaseUrls: sameForAll(given(env, 'DATABASE_URL') ?? `postgres://127.0.0.1:${ports.postgres}/placard`),
    redisUrl: given(env, 'REDIS_URL') ?? redisUrl,
  };
}

/**
 * Reads the settings of every process with its own reader, before anything is started. Throws a
 * {@link StartError} that names all faults of all processes.
 */
export async function checkSettings(instance: Instance, around: Surroundings): Promise<void> {
  const { layout } = instance;
  const { status, output, errors } = await runCommand(around, {
    command: process.execPath,
    args: layout.settingsArgs,
    cwd: layout.rootDir,
    env: {
      ...withoutTls(process.env),
      [CHECKS_NAME]: JSON.stringify(checksOf(instance)),
      NODE_COMPILE_CACHE: path.join(instance.cacheDir, 'node'),
    },
  });
  if (status === 0 || around.stopping.aborted) return;
  const fault = status === EXIT_CONFIG ? output : `The settings could not be checked: ${errors}`;
  throw new StartError(fault.trimEnd());
}

/** One check for each process, and one for the settings that all of them read. */
export function checksOf(instance: Instance): readonly SettingsCheck[] {
  const { layout, env } = instance;
  const own = services.map(({ name, service, reader }) => ({
    process: name,
    module: layout.modulePath(service, 'config'),
    reader,
    // Other variables are inherited from this process.
    environment: Object.fromEntries(
      Object.entries(environmentOf(instance, name)).filter(([key, value]) => env[key] !== value),
    ),
  }));
  const all = layout.modulePath('service-kit', 'index');
  return [{ process: EVERY_PROCESS, module: all, reader: 'readLifecycleConfig', environment: {} }, ...own];
}
