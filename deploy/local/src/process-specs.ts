import { environmentOf, sharedEnvironment } from './environment.js';
import type { ProcessSpec } from './process/managed-process.js';
import { databaseUrlsSetting } from './process/migration-urls.js';
import { serviceNotice } from './process/notice.js';
import { askReadiness } from './readiness.js';
import {
  migratingServices,
  replicaName,
  replicaPorts,
  type Instance,
  type ServiceEntry,
  type ServiceName,
} from './services.js';

/** How to run one process of the product. */
export function serviceSpec(
  instance: Instance,
  { name, service, entry }: ServiceEntry,
  replica = 1,
): ProcessSpec {
  const processName = replicaName(name, replica);
  return {
    name: processName,
    kind: 'service',
    command: process.execPath,
    args: instance.layout.entryArgs(service, entry),
    env: environmentOf(instance, name, replica),
    cwd: instance.layout.rootDir,
    user: null,
    stopSignal: 'SIGTERM',
    notice: serviceNotice,
    logFile: instance.folder.at('logs', `${processName}.log`),
    probe: () => askReadiness(readyUrl(instance, name, replica)),
  };
}

/** How to run all migrations, in one process that ends. */
export function migrationSpec(instance: Instance): ProcessSpec {
  return {
    name: 'migrations',
    kind: 'service',
    command: process.execPath,
    args: instance.layout.migrationArgs(migratingServices),
    env: {
      ...sharedEnvironment(instance),
      ...databaseUrlsSetting(migratingServices.map((owner) => instance.databaseUrls[owner])),
    },
    cwd: instance.layout.rootDir,
    user: null,
    stopSignal: 'SIGTERM',
    notice: serviceNotice,
    logFile: instance.folder.at('logs', 'migrations.log'),
    probe: null,
  };
}

/** URL of the readiness on the metrics port. It shows the components; the gateway's public port does not. */
function readyUrl(instance: Instance, name: ServiceName, replica: number): string {
  return `http://127.0.0.1:${replicaPorts(instance, replica)[`${name}.metrics`]}/readyz`;
}
