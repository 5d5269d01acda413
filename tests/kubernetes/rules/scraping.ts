import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { configuredProcesses } from '../environment.js';
import { containersOf, find, workloadsOf, type Fault, type Manifest, type Workload } from '../manifests.js';

interface Relabeling {
  readonly source_labels: readonly string[];
  readonly regex?: string;
  readonly action?: 'keep' | 'drop';
  readonly target_label?: string;
}

interface ScrapeConfig {
  readonly kubernetes_sd_configs: readonly { readonly role: string }[];
  readonly relabel_configs: readonly Relabeling[];
}

const FILE = new URL('../../../deploy/observability/prometheus-kubernetes.yaml', import.meta.url);
const { scrape_configs: configs } = parse(readFileSync(FILE, 'utf8')) as {
  readonly scrape_configs: readonly ScrapeConfig[];
};

/**
 * Faults of the targets that Prometheus finds with the shipped scrape config: exactly one for each Deployment's pod, at the
 * port of its metrics, with the labels that rules and dashboards use. Prometheus's role `pod` has a target for each declared
 * port.
 */
export function scrapeFaults(manifests: readonly Manifest[]): readonly Fault[] {
  const configured = configuredProcesses(manifests);
  return workloadsOf(manifests).flatMap((workload) => {
    const settings = configured.find(({ name }) => name === workload.name)?.settings ?? {};
    const namespace = find(manifests, workload.kind, workload.name)?.metadata?.namespace ?? 'default';
    const labels = `${namespace} ${workload.name} pod-0`;
    const wanted = workload.kind === 'Job' ? [] : [`${String(settings['METRICS_PORT'])} ${labels}`];
    const found = targetsOf(workload, namespace);
    return found.join() === wanted.join()
      ? []
      : [`${workload.kind} ${workload.name}: is scraped at (${found.join()}) instead of (${wanted.join()})`];
  });
}

/** The targets of a pod, as `port namespace job pod`. */
function targetsOf(workload: Workload, namespace: string): readonly string[] {
  const ports = containersOf(workload).flatMap(({ container }) => container.ports ?? []);
  return ports.flatMap(({ name = '', containerPort }) => {
    const meta: Record<string, string> = {
      __meta_kubernetes_namespace: namespace,
      __meta_kubernetes_pod_name: 'pod-0',
      __meta_kubernetes_pod_phase: 'Running',
      __meta_kubernetes_pod_container_port_name: name,
    };
    for (const [label, value] of Object.entries(workload.labels))
      meta[`__meta_kubernetes_pod_label_${label.replace(/[^a-zA-Z0-9_]/g, '_')}`] = value;
    return configs.flatMap(({ relabel_configs: relabelings }) => {
      const target = relabeled(meta, relabelings);
      const { namespace: environment = '', job = '', pod = '' } = target ?? {};
      return target === null ? [] : [`${containerPort} ${environment} ${job} ${pod}`];
    });
  });
}

/** The labels of a target; null: it is dropped. */
function relabeled(
  labels: Readonly<Record<string, string>>,
  relabelings: readonly Relabeling[],
): Readonly<Record<string, string>> | null {
  const target = { ...labels };
  for (const { source_labels: sources, regex = '.*', action, target_label: name } of relabelings) {
    const value = sources.map((source) => target[source] ?? '').join(';');
    const isMatch = new RegExp(`^(?:${regex})$`).test(value);
    if ((action === 'keep' && !isMatch) || (action === 'drop' && isMatch)) return null;
    if (name !== undefined && isMatch) target[name] = value;
  }
  return target;
}
