import { CLOSE_MS_MAX } from '@placard/service-kit';
import { configuredProcesses } from '../environment.js';
import { allOf, find, nameOf, selects, type Fault, type Kinds, type Manifest } from '../manifests.js';

const SECOND_MS = 1_000;
/** Fewest pods of a Deployment, for a trial environment. */
const PODS_MIN = 1;

/** Faults of scalers and disruption budgets: each Deployment has one of each, and a disruption must leave a pod. */
export function scalingFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return allOf(manifests, 'Deployment').flatMap((deployment) => {
    const name = nameOf(deployment);
    const where = `Deployment ${name}`;
    const ranges = rangesOf(manifests, name);
    const [range] = ranges;
    if (range === undefined || ranges.length > 1)
      return [`${where}: has ${ranges.length} scalers instead of one`];
    return [
      ...(deployment.spec?.replicas === undefined ? [] : [`${where}: sets replicas, which its scaler does`]),
      ...(range.min >= PODS_MIN && range.min <= range.max
        ? []
        : [`${where}: is scaled from ${range.min} to ${range.max}`]),
      ...budgetFaults(manifests, deployment, range.min),
    ];
  });
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function rangesOf(manifests: readonly Manifest[], name: string): readonly Range[] {
  const byCpu = allOf(manifests, 'HorizontalPodAutoscaler')
    .filter(({ spec }) => scales(manifests, spec?.scaleTargetRef, name))
    .map(({ spec }) => ({ min: spec?.minReplicas ?? 1, max: spec?.maxReplicas ?? 0 }));
  const byQueue = allOf(manifests, 'ScaledObject')
    .filter(({ spec }) => spec.scaleTargetRef.name === name)
    .map(({ spec }) => ({ min: spec.minReplicaCount, max: spec.maxReplicaCount }));
  return [...byCpu, ...byQueue];
}

/** Whether a target is a Deployment, or the Rollout that runs its pods. */
function scales(
  manifests: readonly Manifest[],
  target: { readonly kind: string; readonly name: string } | undefined,
  deployment: string,
): boolean {
  if (target?.kind !== 'Rollout') return target?.kind === 'Deployment' && target.name === deployment;
  return find(manifests, 'Rollout', target.name)?.spec.workloadRef.name === deployment;
}

/** Faults of queue scalers: they must have the namespace and the number of pods of their environment. */
export function queueFaults(
  environment: readonly Manifest[],
  manifests: readonly Manifest[],
): readonly Fault[] {
  return allOf(manifests, 'ScaledObject').flatMap(({ metadata, spec }) => {
    const { name } = spec.scaleTargetRef;
    const [range] = rangesOf(environment, name);
    const namespace = find(environment, 'Deployment', name)?.metadata?.namespace ?? '';
    const query = spec.triggers[0]?.metadata.query ?? '';
    const pods = [spec.minReplicaCount, spec.maxReplicaCount, spec.fallback?.replicas];
    return [
      ...(metadata?.namespace === namespace ? [] : [`ScaledObject ${name}: is not in ${namespace}`]),
      ...(query.includes(`{namespace="${namespace}"}`)
        ? []
        : [`ScaledObject ${name}: asks ${query}, not for ${namespace}`]),
      ...(pods.join() === [range?.min, range?.max, range?.max].join()
        ? []
        : [`ScaledObject ${name}: has ${pods.join()} pods`]),
    ];
  });
}

/** A disruption budget must allow the eviction of one pod, or nodes cannot be drained, and must keep one of several. */
function budgetFaults(
  manifests: readonly Manifest[],
  deployment: Kinds['Deployment'],
  podsMin: number,
): readonly Fault[] {
  const where = `Deployment ${nameOf(deployment)}`;
  const labels = deployment.spec?.template.metadata?.labels ?? {};
  const budgets = allOf(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
    selects(spec?.selector?.matchLabels, labels),
  );
  const [budget] = budgets;
  if (budget === undefined || budgets.length > 1)
    return [`${where}: has ${budgets.length} disruption budgets instead of one`];
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = budget.spec ?? {};
  if (unhealthyPodEvictionPolicy !== 'AlwaysAllow')
    return [`${where}: its disruption budget keeps pods that are not ready`];
  const goes = typeof minAvailable === 'number' ? podsMin - minAvailable : maxUnavailable;
  if (typeof goes !== 'number') return [`${where}: its disruption budget is not a number`];
  if (goes < 1) return [`${where}: its disruption budget lets no pod go at ${podsMin} pods`];
  if (podsMin > 1 && goes >= podsMin) return [`${where}: its disruption budget lets all ${podsMin} pods go`];
  return [];
}

/** Faults of rollouts: a new pod must be ready before an old one stops, and an old one needs enough time to stop. */
export function rolloutFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return configuredProcesses(manifests).flatMap(({ name, settings }) => {
    const { strategy, template } = find(manifests, 'Deployment', name)?.spec ?? {};
    const drain = settings?.['DRAIN_SECONDS'];
    const stops = (typeof drain === 'number' ? drain : 0) + CLOSE_MS_MAX / SECOND_MS;
    const grace = template?.spec?.terminationGracePeriodSeconds ?? 0;
    const keepsAll = strategy?.rollingUpdate?.maxUnavailable === 0;
    return [
      ...(grace > stops
        ? []
        : [`Deployment ${name}: is killed after ${grace} s, and may take ${stops} s to stop`]),
      ...(keepsAll ? [] : [`Deployment ${name}: has fewer pods during a rollout`]),
    ];
  });
}
