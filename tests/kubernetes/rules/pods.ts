import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Container, PodSpec, Probe } from 'kubernetes-types/core/v1.js';
import { allOf, containersOf, find, nameOf, selects, workloadsOf } from '../manifests.js';
import type { Fault, Manifest, Workload } from '../manifests.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** User and group of all images, as `1000:1000`. */
const IMAGE_USER = /^USER (\S+)$/m.exec(
  readFileSync(path.join(ROOT, 'deploy/images/Dockerfile'), 'utf8'),
)?.[1];

const VERSION_LABEL = 'app.kubernetes.io/version';

/** Faults of pods that have privileges, no account of their own, or a token. */
export function privilegeFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests).flatMap((workload) => [
    ...podFaults(manifests, workload),
    ...containersOf(workload).flatMap(({ where, container }) => containerFaults(where, container)),
  ]);
}

function podFaults(manifests: readonly Manifest[], { kind, name, pod }: Workload): readonly Fault[] {
  const account = find(manifests, 'ServiceAccount', pod.serviceAccountName ?? '');
  return failures(`${kind} ${name}`, {
    'runs as root': !isNonRoot(pod.securityContext),
    'has no seccomp profile': pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault',
    'shares something with its node': [pod.hostNetwork, pod.hostPID, pod.hostIPC].includes(true),
    'has no ServiceAccount of its own': account === undefined || pod.serviceAccountName !== name,
    'mounts a token':
      pod.automountServiceAccountToken !== false || account?.automountServiceAccountToken !== false,
    'gets variables for every Service': pod.enableServiceLinks !== false,
  });
}

function isNonRoot(context: PodSpec['securityContext'] | Container['securityContext']): boolean {
  return context?.runAsNonRoot === true && (context.runAsUser ?? 0) > 0;
}

function containerFaults(
  where: string,
  { securityContext: context, resources }: Container,
): readonly Fault[] {
  const { requests, limits } = resources ?? {};
  return failures(where, {
    'may write to its root file system': context?.readOnlyRootFilesystem !== true,
    'may gain privileges': context?.allowPrivilegeEscalation !== false || context.privileged === true,
    'keeps capabilities':
      context?.capabilities?.drop?.includes('ALL') !== true || context.capabilities.add !== undefined,
    'may run as root': context?.runAsNonRoot === false || context?.runAsUser === 0,
    'requests no CPU': requests?.['cpu'] === undefined,
    'requests no memory': requests?.['memory'] === undefined,
    'has no limit of CPU': limits?.['cpu'] === undefined,
    'has no limit of memory': limits?.['memory'] === undefined,
  });
}

/** Faults of probes: each Deployment needs all three, on declared ports, and liveness must not check anything else. */
export function probeFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests)
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(containersOf)
    .flatMap(({ where, container }) => {
      const { startupProbe, livenessProbe, readinessProbe } = container;
      return failures(where, {
        'has no startup probe of /healthz': startupProbe?.httpGet?.path !== '/healthz',
        'has no liveness probe of /healthz': livenessProbe?.httpGet?.path !== '/healthz',
        // Kubernetes cannot probe gRPC with TLS.
        'has no readiness probe of /readyz': readinessProbe?.httpGet?.path !== '/readyz',
        'probes a port that it does not declare': [startupProbe, livenessProbe, readinessProbe].some(
          (probe) => probe !== undefined && !isDeclared(container, probe),
        ),
      });
    });
}

function isDeclared({ ports = [] }: Container, { httpGet }: Probe): boolean {
  const port = httpGet?.port;
  return ports.some(({ name, containerPort }) => port === name || port === containerPort);
}

/** Faults of selectors that do not select exactly their pods, and of pods that are not spread over nodes and zones. */
export function selectorFaults(manifests: readonly Manifest[]): readonly Fault[] {
  const workloads = workloadsOf(manifests);
  const spread = allOf(manifests, 'Deployment').flatMap((deployment) => {
    const labels = deployment.spec?.template.metadata?.labels ?? {};
    const constraints = deployment.spec?.template.spec?.topologySpreadConstraints ?? [];
    const own = constraints.filter(({ labelSelector }) => selects(labelSelector?.matchLabels, labels));
    const keys = own.map(({ topologyKey }) => topologyKey);
    return failures(`Deployment ${nameOf(deployment)}`, {
      'does not select its own pods': !selects(deployment.spec?.selector.matchLabels, labels),
      'is not spread over zones': !keys.includes('topology.kubernetes.io/zone'),
      'is not spread over nodes': !keys.includes('kubernetes.io/hostname'),
    });
  });
  const selectors = [
    ...allOf(manifests, 'Service').map((one) => ({ one, labels: one.spec?.selector })),
    ...allOf(manifests, 'PodDisruptionBudget').map((one) => ({
      one,
      labels: one.spec?.selector?.matchLabels,
    })),
  ];
  const stray = selectors.flatMap(({ one, labels }) => {
    const chosen = workloads.filter((workload) => selects(labels, workload.labels));
    const isOne = chosen.length === 1 && chosen[0]?.kind === 'Deployment';
    return isOne
      ? []
      : [`${one.kind ?? ''} ${nameOf(one)}: selects the pods of ${chosen.length} workloads instead of one`];
  });
  return [...spread, ...stray];
}

/** Kinds of objects that belong to an environment and to no service. */
const OF_ALL: ReadonlySet<string> = new Set([
  'Ingress',
  'HTTPRoute',
  'ExternalSecret',
  'Certificate',
  'Issuer',
]);

/** Faults of labels: they must allow applying one service, or all migrations, alone. */
export function labelFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return manifests
    .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === undefined)
    .filter(({ kind, metadata }) => !OF_ALL.has(kind) && metadata.name !== 'default-deny')
    .map((manifest) => `${manifest.kind} ${nameOf(manifest)}: has no label of its service`);
}

/** Faults of images: overlays must name a fixed release. */
export function imageFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests)
    .flatMap(containersOf)
    .filter(({ container }) => !/:(?!latest$)[^/:]+$|@sha256:/.test(container.image ?? ''))
    .map(({ where, container }) => `${where}: image ${container.image ?? ''} names no release`);
}

/** Faults of releases: the labels of each pod and the history of its rollouts must name its release. */
export function versionFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests).flatMap(({ kind, name, labels, pod }) => {
    const version = /:([^/:]+)$/.exec(pod.containers[0]?.image ?? '')?.[1];
    const { metadata } = find(manifests, kind, name) ?? {};
    return failures(`${kind} ${name}`, {
      'has pods whose label does not name the release': labels[VERSION_LABEL] !== version,
      'has a label that does not name the release': metadata?.labels?.[VERSION_LABEL] !== version,
      'has a history of rollouts without releases':
        kind === 'Deployment' && metadata?.annotations?.['kubernetes.io/change-cause'] !== version,
      'selects by the release, which changes':
        kind === 'Deployment' &&
        find(manifests, kind, name)?.spec?.selector.matchLabels?.[VERSION_LABEL] !== undefined,
    });
  });
}

/** Faults of entry points: the image must contain the program, and the pod must use the user of the image. */
export function entryFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload).flatMap(({ where, container }) => {
      const service = /([a-z-]+)(?:[:@][^/]*)?$/.exec(container.image ?? '')?.[1] ?? '';
      const entry = container.args?.[0] ?? 'dist/main.js';
      const source = `${service}/${entry.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts')}`;
      const { runAsUser, runAsGroup } = workload.pod.securityContext ?? {};
      return failures(where, {
        [`runs ${entry}, which the image of ${service} does not have`]: !existsSync(path.join(ROOT, source)),
        'replaces the entry point of the image': container.command !== undefined,
        'runs as another user than the image': IMAGE_USER !== `${runAsUser ?? 0}:${runAsGroup ?? 0}`,
      });
    }),
  );
}

/** One fault for each condition that holds. */
function failures(where: string, conditions: Readonly<Record<string, boolean>>): readonly Fault[] {
  return Object.entries(conditions).flatMap(([what, holds]) => (holds ? [`${where}: ${what}`] : []));
}
