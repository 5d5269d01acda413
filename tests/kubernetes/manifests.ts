import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { ConfigMap, Container, PodSpec, Service, ServiceAccount } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import type { AnalysisTemplate, Rollout } from './foreign/argo-rollouts.js';
import type { Certificate, Issuer } from './foreign/certificate.js';
import type { ExternalSecret } from './foreign/external-secrets.js';
import type { HTTPRoute } from './foreign/gateway-api.js';
import type { ScaledObject } from './foreign/keda.js';

/** One object of a rendering. Its fields have their types only after the schema check has passed. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The kinds that the rules read. */
export interface Kinds {
  readonly AnalysisTemplate: AnalysisTemplate;
  readonly Certificate: Certificate;
  readonly ConfigMap: ConfigMap;
  readonly Deployment: Deployment;
  readonly ExternalSecret: ExternalSecret;
  readonly HTTPRoute: HTTPRoute;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly Ingress: Ingress;
  readonly Issuer: Issuer;
  readonly Job: Job;
  readonly NetworkPolicy: NetworkPolicy;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Rollout: Rollout;
  readonly ScaledObject: ScaledObject;
  readonly Service: Service;
  readonly ServiceAccount: ServiceAccount;
}

/** The object and its fault, on one line. */
export type Fault = string;

/** A rule over a whole rendering. */
export type Rule = (manifests: readonly Manifest[]) => readonly Fault[];

/** An object that runs pods. */
export interface Workload {
  readonly kind: 'Deployment' | 'Job';
  readonly name: string;
  readonly labels: Labels;
  readonly pod: PodSpec;
}

/** Labels by name. */
export type Labels = Readonly<Record<string, string>>;

/** Name of an object, or `(no name)`. */
export function nameOf(manifest: { readonly metadata?: ObjectMeta }): string {
  return manifest.metadata?.name ?? '(no name)';
}

/** Every object of a kind. */
export function allOf<K extends keyof Kinds>(manifests: readonly Manifest[], kind: K): readonly Kinds[K][] {
  return manifests.filter((manifest) => manifest.kind === kind) as unknown as readonly Kinds[K][];
}

/** The object of a kind and name. */
export function find<K extends keyof Kinds>(
  manifests: readonly Manifest[],
  kind: K,
  name: string,
): Kinds[K] | undefined {
  return allOf(manifests, kind).find((object) => nameOf(object) === name);
}

/** Every Deployment and Job. */
export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return (['Deployment', 'Job'] as const).flatMap((kind) =>
    allOf(manifests, kind).map((object) => ({
      kind,
      name: nameOf(object),
      labels: object.spec?.template.metadata?.labels ?? {},
      pod: object.spec?.template.spec ?? { containers: [] },
    })),
  );
}

/** Every container of a pod, with its name for faults. */
export function containersOf({
  kind,
  name,
  pod,
}: Workload): readonly { readonly where: string; readonly container: Container }[] {
  return [...(pod.initContainers ?? []), ...pod.containers].map((container) => ({
    where: `${kind} ${name}, container ${container.name}`,
    container,
  }));
}

/** Whether a label selector selects a pod. An empty selector selects all pods, undefined selects none. */
export function selects(matchLabels: Labels | undefined, labels: Labels): boolean {
  if (matchLabels === undefined) return false;
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}
