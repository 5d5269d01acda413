import { readLifecycleConfig } from '@placard/service-kit';
import type { Container } from 'kubernetes-types/core/v1.js';
import { containersOf, find, workloadsOf, type Fault, type Manifest } from './manifests.js';
import { authorityFiles, processes, sampleOf, type Settings } from './processes.js';

const FILE_PREFIX = 'file:';

/** The environment of a container, and the faults of its sources. */
export interface Environment {
  /** Values by name. Values of Secrets are samples. */
  readonly values: Readonly<Record<string, string>>;
  /** Paths of files that hold a setting (`file:PATH`) or authorities, by its name. */
  readonly files: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

/** Collects the environment of a container from its ConfigMaps and its own list. */
export function environmentOf(
  manifests: readonly Manifest[],
  where: string,
  container: Container,
): Environment {
  const values: Record<string, string> = {};
  const files: Record<string, string> = {};
  const faults: Fault[] = [];
  const set = (name: string, value: string): void => {
    if (values[name] !== undefined) faults.push(`${where}: ${name} is set twice`);
    if (value.startsWith(FILE_PREFIX)) files[name] = value.slice(FILE_PREFIX.length);
    if (authorityFiles.has(name)) files[name] = value;
    values[name] = name in files ? sampleOf(name) : value;
  };
  for (const { configMapRef } of container.envFrom ?? []) {
    const name = configMapRef?.name ?? '';
    const data = find(manifests, 'ConfigMap', name)?.data;
    if (data === undefined)
      faults.push(`${where}: takes its settings from ConfigMap ${name}, which does not exist`);
    for (const [key, value] of Object.entries(data ?? {})) set(key, value);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const secret = valueFrom?.secretKeyRef;
    if (secret !== undefined) {
      if (secret.optional === true) faults.push(`${where}: ${name} is from a Secret that may be missing`);
    } else if (value === undefined) faults.push(`${where}: ${name} is from neither a value nor a Secret`);
    set(name, secret === undefined ? (value ?? '') : sampleOf(name));
  }
  return { values, files, faults };
}

/** A process of a rendering and the settings that it reads; null when it refuses them. */
export interface Configured {
  readonly name: string;
  readonly container: Container;
  readonly settings: Settings | null;
}

/** Every Deployment of a rendering, with the settings that its process reads. */
export function configuredProcesses(manifests: readonly Manifest[]): readonly Configured[] {
  return workloadsOf(manifests).flatMap((workload) => {
    const read = processes[workload.name];
    if (workload.kind !== 'Deployment' || read === undefined) return [];
    return containersOf(workload).map(({ where, container }) => {
      const { values } = environmentOf(manifests, where, container);
      const hasRpc = workload.name !== 'settlement-worker';
      return {
        name: workload.name,
        container,
        settings: tryRead(() => ({ ...readLifecycleConfig(values, { hasRpc }), ...read(values) })),
      };
    });
  });
}

function tryRead(read: () => Settings): Settings | null {
  try {
    return read();
  } catch {
    return null;
  }
}
