import type { IPBlock, NetworkPolicyPeer, NetworkPolicyPort } from 'kubernetes-types/networking/v1.js';
import { configuredProcesses, type Configured } from '../environment.js';
import {
  allOf,
  find,
  nameOf,
  selects,
  workloadsOf,
  type Fault,
  type Manifest,
  type Workload,
} from '../manifests.js';

const STORE_PORTS: Readonly<Record<string, number>> = { DATABASE_URL: 5432, REDIS_URL: 6379 };
const STORES = 'private addresses';
const DNS = 'DNS of the cluster';
const PROMETHEUS = 'namespace monitoring';
const PUBLIC = 'public addresses';
/** Sends webhooks, to public addresses alone. */
const WEBHOOKS = { sender: 'console-service', port: 443 };
/** The ranges without which the whole address space has public addresses only. */
const NOT_PUBLIC: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0/0': [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ],
  '::/0': ['::1/128', 'fc00::/7', 'fe80::/10'],
};
/** Private ranges. Stores must not be at public addresses or in whole address spaces. */
const PRIVATE = /^(10\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|f[cd])/;

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** An address in another namespace, such as `http://collector.monitoring:4318`. */
const FOREIGN = /^https?:\/\/[a-z0-9-]+\.([a-z0-9-]+)(?:\.svc[^:/]*)?:(\d+)/;

/** Paths of one pod: `from X to port` and `to X port`. */
type Paths = ReadonlySet<string>;

/**
 * Faults of network policies against the paths that the code uses, in both directions. Used paths are: from a process to the
 * addresses in its settings, at both ends; to the stores; to DNS; to webhooks; from Prometheus to every Deployment; and from the ingress
 * controller to the gateway.
 */
export function networkFaults(manifests: readonly Manifest[]): readonly Fault[] {
  const configured = configuredProcesses(manifests);
  const used = usedPaths(manifests, configured);
  return workloadsOf(manifests).flatMap((workload) => {
    const where = `${workload.kind} ${workload.name}`;
    const allowed = allowedPaths(manifests, workload);
    const needed = used.get(workload.name) ?? new Set<string>();
    return [
      ...[...needed]
        .filter((path) => !allowed.has(path))
        .map((path) => `${where}: the path ${path} is used and refused`),
      ...[...allowed]
        .filter((path) => !needed.has(path))
        .map((path) => `${where}: the path ${path} is allowed and not used`),
      ...unboundFaults(manifests, workload),
    ];
  });
}

function usedPaths(
  manifests: readonly Manifest[],
  configured: readonly Configured[],
): ReadonlyMap<string, Paths> {
  const used = new Map<string, Set<string>>();
  const use = (name: string, path: string): void => {
    used.set(name, (used.get(name) ?? new Set()).add(path));
  };
  for (const { name, kind } of workloadsOf(manifests)) {
    use(name, `to ${DNS} 53/TCP`);
    use(name, `to ${DNS} 53/UDP`);
    if (kind === 'Job') use(name, `to ${STORES} 5432`);
  }
  for (const { name, settings } of configured) {
    for (const [setting, value] of Object.entries(settings ?? {})) {
      const store = STORE_PORTS[setting];
      if (store !== undefined) use(name, `to ${STORES} ${store}`);
      else if (/_(ADDRESS|URL|ENDPOINT)$/.test(setting) && typeof value === 'string') {
        const [, namespace, port = ''] = FOREIGN.exec(value) ?? [];
        if (namespace !== undefined) {
          use(name, `to namespace ${namespace} ${port}/TCP`);
          continue;
        }
        const target = targetOf(manifests, value);
        use(name, `to ${target.name} ${target.port}`);
        use(target.name, `from ${name} ${target.port}`);
      }
    }
    use(name, `from ${PROMETHEUS} ${String(settings?.['METRICS_PORT'])}`);
    if (name === WEBHOOKS.sender) use(name, `to ${PUBLIC} ${WEBHOOKS.port}`);
    if (name === 'gateway') use(name, `from ${publisherOf(manifests)} ${String(settings?.['PORT'])}`);
  }
  return used;
}

/** The peer that publishes the gateway: the Gateway of its route, or the ingress controller. */
function publisherOf(manifests: readonly Manifest[]): string {
  const [gateway] = find(manifests, 'HTTPRoute', 'gateway')?.spec.parentRefs ?? [];
  return `namespace ${gateway?.namespace ?? 'ingress-nginx'}`;
}

/** The process and its port for an address, through the Service of that name. */
function targetOf(
  manifests: readonly Manifest[],
  address: string,
): { readonly name: string; readonly port: string } {
  const [, host = '', port = ''] = /^(?:dns:\/\/\/|https?:\/\/)?([^:/]+):(\d+)/.exec(address) ?? [];
  const service = find(manifests, 'Service', host);
  const target = service?.spec?.ports?.find((one) => one.port === Number(port));
  const workload = workloadsOf(manifests).find(({ labels }) => selects(service?.spec?.selector, labels));
  if (target === undefined || workload === undefined) return { name: `nothing behind ${address}`, port };
  return { name: workload.name, port: portNumber(workload, target.targetPort ?? target.port) };
}

function portNumber({ pod }: Workload, port: number | string): string {
  const named = pod.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === port);
  return String(named?.containerPort ?? port);
}

function allowedPaths(manifests: readonly Manifest[], workload: Workload): Paths {
  const rules = allOf(manifests, 'NetworkPolicy')
    .filter(({ spec }) => selects(spec?.podSelector.matchLabels ?? {}, workload.labels))
    .flatMap(({ spec }) => [
      ...(spec?.ingress ?? []).map(({ from, ports }) => ({
        way: 'from',
        peers: from,
        ports,
        listener: workload,
      })),
      ...(spec?.egress ?? []).map(({ to, ports }) => ({ way: 'to', peers: to, ports, listener: null })),
    ]);
  return new Set(
    rules.flatMap(({ way, peers, ports, listener }) =>
      (peers ?? [{}]).flatMap((peer) =>
        (ports ?? [{}]).map(
          (port) => `${way} ${peerName(manifests, peer)} ${portName(port, peer, listener)}`,
        ),
      ),
    ),
  );
}

function peerName(
  manifests: readonly Manifest[],
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
): string {
  const pods = podSelector?.matchLabels;
  if (ipBlock !== undefined) return nameOfBlock(ipBlock);
  if (namespaceSelector === undefined) {
    const chosen = workloadsOf(manifests).filter(({ labels }) => selects(pods, labels));
    return chosen.length === 0 ? 'anything' : chosen.map(({ name }) => name).join(' and ');
  }
  const namespace = `namespace ${namespaceSelector.matchLabels?.['kubernetes.io/metadata.name'] ?? 'of any name'}`;
  if (pods === undefined) return namespace;
  return namespace === 'namespace kube-system' && pods['k8s-app'] === 'kube-dns'
    ? DNS
    : `some pods of ${namespace}`;
}

function nameOfBlock({ cidr, except = [] }: IPBlock): string {
  if (PRIVATE.test(cidr)) return STORES;
  return NOT_PUBLIC[cidr]?.every((range) => except.includes(range)) === true ? PUBLIC : cidr;
}

function portName(
  { port, protocol }: NetworkPolicyPort,
  { namespaceSelector }: NetworkPolicyPeer,
  listener: Workload | null,
): string {
  if (port === undefined) return 'any port';
  const number = listener === null ? String(port) : portNumber(listener, port);
  const isDns = namespaceSelector !== undefined && listener === null;
  return isDns ? `${number}/${protocol ?? 'TCP'}` : number;
}

/** Faults of pods without a policy for both directions. Only such a policy refuses unlisted paths. */
function unboundFaults(manifests: readonly Manifest[], { kind, name, labels }: Workload): readonly Fault[] {
  const own = allOf(manifests, 'NetworkPolicy').filter(
    (policy) => nameOf(policy) === name && selects(policy.spec?.podSelector.matchLabels, labels),
  );
  const ways = own.flatMap(({ spec }) => spec?.policyTypes ?? []);
  return ['Ingress', 'Egress']
    .filter((way) => !ways.includes(way))
    .map((way) => `${kind} ${name}: has no policy of its own for ${way}`);
}

function routeFaults(manifests: readonly Manifest[]): readonly Fault[] {
  return allOf(manifests, 'HTTPRoute').flatMap((route) => [
    ...route.spec.hostnames
      .filter((host) => !HOST.test(host))
      .map((host) => `HTTPRoute ${nameOf(route)}: ${host} is not a host name`),
    ...route.spec.rules
      .flatMap(({ backendRefs }) => backendRefs)
      .filter(({ name, port }) => {
        const ports = find(manifests, 'Service', name)?.spec?.ports ?? [];
        return !ports.some((one) => one.port === port);
      })
      .map(({ name, port }) => `HTTPRoute ${nameOf(route)}: ${name}:${port} leads nowhere`),
  ]);
}

/** Faults of Services and of the Ingress: ports that lead nowhere, and gRPC Services that clients cannot balance over. */
export function serviceFaults(manifests: readonly Manifest[]): readonly Fault[] {
  const services = allOf(manifests, 'Service').flatMap((service) => {
    const name = nameOf(service);
    const ports = service.spec?.ports ?? [];
    const workload = workloadsOf(manifests).find(({ labels }) => selects(service.spec?.selector, labels));
    const open = workload?.pod.containers.flatMap(({ ports: own = [] }) => own) ?? [];
    const lost = ports.filter(
      ({ port, targetPort = port }) =>
        !open.some((one) => one.name === targetPort || one.containerPort === targetPort),
    );
    const isGrpc = ports.some((port) => port.name === 'grpc');
    return [
      ...lost.map(({ port }) => `Service ${name}: port ${port} leads nowhere`),
      ...(isGrpc && service.spec?.clusterIP !== 'None'
        ? [`Service ${name}: is not headless, so that clients cannot balance`]
        : []),
    ];
  });
  const backends = allOf(manifests, 'Ingress').flatMap((ingress) =>
    (ingress.spec?.rules ?? []).flatMap(({ host = '', http }) => [
      ...(HOST.test(host) ? [] : [`Ingress ${nameOf(ingress)}: ${host} is not a host name`]),
      ...(ingress.spec?.tls?.some(({ hosts }) => hosts?.includes(host)) === true
        ? []
        : [`Ingress ${nameOf(ingress)}: ${host} is served without TLS`]),
      ...(http?.paths ?? []).flatMap(({ path = '', backend }) => {
        const ports = find(manifests, 'Service', backend.service?.name ?? '')?.spec?.ports ?? [];
        const leads = ports.some(({ name }) => name === backend.service?.port?.name);
        return leads ? [] : [`Ingress ${nameOf(ingress)}: ${path} leads nowhere`];
      }),
    ]),
  );
  return [...services, ...backends, ...routeFaults(manifests)];
}
