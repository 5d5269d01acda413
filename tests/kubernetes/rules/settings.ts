import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Container } from 'kubernetes-types/core/v1.js';
import { configuredProcesses, environmentOf } from '../environment.js';
import {
  allOf,
  containersOf,
  nameOf,
  workloadsOf,
  type Fault,
  type Manifest,
  type Workload,
} from '../manifests.js';
import { authorityFiles, processes, secretSettings, settingNames } from '../processes.js';

const DOCUMENT = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
const MIGRATION_SETTINGS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_CA_FILE',
  'DATABASE_SERVER_NAME',
  'REQUIRE_TLS',
]);

/** Faults of the settings, found by the process's own reader. */
export function settingFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests).flatMap((workload) => {
    const read = workload.kind === 'Job' ? null : processes[workload.name];
    if (read === undefined) return [`${workload.kind} ${workload.name}: is not a known process`];
    const names = read === null ? MIGRATION_SETTINGS : settingNames(read);
    return containersOf(workload).flatMap(({ where, container }) => {
      const { values, faults } = environmentOf(manifests, where, container);
      const unknown = Object.keys(values).filter((name) => !names.has(name));
      const unexplained = [...names].filter(
        (name) => values[name] === undefined && !DOCUMENT.includes(`\`${name}\``),
      );
      return [
        ...faults,
        ...unknown.map((name) => `${where}: sets ${name}, which its process does not read`),
        ...unexplained.map(
          (name) => `${where}: leaves ${name} unset, whose default docs/settings.md does not give`,
        ),
        ...(read === null ? missing(where, names, values) : refusals(where, () => read(values))),
      ];
    });
  });
}

function missing(
  where: string,
  names: ReadonlySet<string>,
  values: Readonly<Record<string, string>>,
): readonly Fault[] {
  return [...names]
    .filter((name) => secretSettings.has(name) && values[name] === undefined)
    .map((name) => `${where}: ${name} is not set`);
}

function refusals(where: string, read: () => unknown): readonly Fault[] {
  try {
    read();
    return [];
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Faults of secrets: none may be in a ConfigMap, a value or the repository. */
export function secretFaults(manifests: readonly Manifest[]): readonly Fault[] {
  const inMaps = allOf(manifests, 'ConfigMap').flatMap((map) =>
    Object.entries(map.data ?? {})
      .filter(([name, value]) => secretSettings.has(name) && !value.startsWith('file:'))
      .map(([name]) => `ConfigMap ${nameOf(map)}: holds ${name}, which is secret`),
  );
  const secrets = manifests
    .filter(({ kind }) => kind === 'Secret')
    .map((secret) => `Secret ${nameOf(secret)}: must not be in the repository`);
  return [
    ...inMaps,
    ...workloadsOf(manifests).flatMap((workload) => misplaced(manifests, workload)),
    ...secrets,
  ];
}

function misplaced(manifests: readonly Manifest[], workload: Workload): readonly Fault[] {
  const volumes = workload.pod.volumes ?? [];
  return containersOf(workload).flatMap(({ where, container }) => {
    const mounts = container.volumeMounts ?? [];
    const isMounted = (file: string, isPublic: boolean): boolean =>
      mounts.some(
        ({ name, mountPath }) =>
          mountPath === path.posix.dirname(file) &&
          volumes.some((one) => one.name === name && (one.secret !== undefined || isPublic)),
      );
    const { files } = environmentOf(manifests, where, container);
    return [
      ...(container.env ?? [])
        .filter(({ name, value }) => value !== undefined && secretSettings.has(name))
        .map(({ name }) => `${where}: has the value of ${name}, which is secret`),
      ...Object.entries(files)
        .filter(([name, file]) => !isMounted(file, authorityFiles.has(name)))
        .map(([name, file]) => `${where}: ${name} is in ${file}, where nothing fitting is mounted`),
    ];
  });
}

/** Names of ports by setting. */
const PORTS = {
  PORT: 'http',
  HTTP_PORT: 'http',
  GRPC_PORT: 'grpc',
  WRITE_GRPC_PORT: 'write-grpc',
  MANAGE_PORT: 'manage',
  METRICS_PORT: 'metrics',
} as const;

/** Differences between declared ports and those on which the process listens. */
export function portFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return configuredProcesses(manifests).flatMap(({ name, container, settings }) => {
    if (settings === null) return [];
    const listens = Object.entries(PORTS)
      .filter(([setting]) => settings[setting] !== undefined)
      .map(([setting, port]) => `${port} ${String(settings[setting])}`);
    const declared = (container.ports ?? []).map((port) => `${port.name ?? ''} ${port.containerPort}`);
    return [
      ...listens
        .filter((port) => !declared.includes(port))
        .map((port) => `Deployment ${name}: does not declare port ${port}`),
      ...declared
        .filter((port) => !listens.includes(port))
        .map((port) => `Deployment ${name}: declares port ${port}, on which it does not listen`),
    ];
  });
}

/** Faults of volumes: exactly the folders of files that the process writes, each with a limit. */
export function volumeFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload).flatMap(({ where, container }) => {
      const { values } = environmentOf(manifests, where, container);
      const written = Object.entries(values)
        .filter(([name, value]) => name === 'CATALOG_CACHE_FILE' && value !== '')
        .map(([, value]) => path.posix.dirname(value));
      const writable = writableDirs(container);
      const kinds = (workload.pod.volumes ?? []).filter(
        ({ emptyDir, secret, configMap }) =>
          emptyDir?.sizeLimit === undefined && secret === undefined && configMap === undefined,
      );
      return [
        ...written.filter((dir) => !writable.includes(dir)).map((dir) => `${where}: cannot write to ${dir}`),
        ...writable
          .filter((dir) => !written.includes(dir))
          .map((dir) => `${where}: may write to ${dir}, which nothing needs`),
        ...kinds.map(
          ({ name }) =>
            `${where}: volume ${name} is neither a Secret, a ConfigMap nor an emptyDir with a limit`,
        ),
      ];
    }),
  );
}

function writableDirs({ volumeMounts = [] }: Container): readonly string[] {
  return volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath);
}
