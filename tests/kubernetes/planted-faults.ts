import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicySpec } from 'kubernetes-types/networking/v1.js';
import { find, type Kinds, type Manifest, type Rule } from './manifests.js';
import { networkFaults, serviceFaults } from './rules/network.js';
import {
  entryFaults,
  imageFaults,
  labelFaults,
  privilegeFaults,
  probeFaults,
  selectorFaults,
  versionFaults,
} from './rules/pods.js';
import { rolloutFaults, scalingFaults } from './rules/scaling.js';
import { scrapeFaults } from './rules/scraping.js';
import { portFaults, secretFaults, settingFaults, volumeFaults } from './rules/settings.js';

/** A fault to plant into correct manifests, and the expected report of its rule. */
export interface PlantedFault {
  readonly title: string;
  readonly plant: (manifests: Manifest[]) => void;
  readonly rule: Rule;
  readonly fault: string;
}

/** At least one for each rule. */
export const plantedFaults: readonly PlantedFault[] = [
  onContainer(
    'a container without a limit of memory',
    privilegeFaults,
    'has no limit of memory',
    (container) => {
      delete container.resources?.limits?.['memory'];
    },
  ),
  onContainer('a writable root file system', privilegeFaults, 'may write to its root', (container) => {
    container.securityContext = { ...container.securityContext, readOnlyRootFilesystem: false };
  }),
  onContainer('a container that keeps capabilities', privilegeFaults, 'keeps capabilities', (container) => {
    delete container.securityContext?.capabilities;
  }),
  onPod('a pod that runs as root', privilegeFaults, 'runs as root', (pod) => {
    delete pod.securityContext?.runAsNonRoot;
  }),
  onPod('a pod with a token of the cluster', privilegeFaults, 'mounts a token', (pod) => {
    delete pod.automountServiceAccountToken;
  }),
  onContainer('a process without a liveness probe', probeFaults, 'has no liveness probe', (container) => {
    delete container.livenessProbe;
  }),
  onContainer(
    'a liveness probe that depends on stores and peers',
    probeFaults,
    'has no liveness probe of /healthz',
    (container) => {
      container.livenessProbe = { grpc: { port: 50_052 } };
    },
  ),
  onContainer(
    'a probe of a port that is not declared',
    probeFaults,
    'probes a port that it does not declare',
    (container) => {
      container.readinessProbe = { grpc: { port: 50_051 } };
    },
  ),
  onContainer('an image of no release', imageFaults, 'names no release', (container) => {
    container.image = 'placard/serving-service:latest';
  }),
  onContainer(
    'a label with another release than the image',
    versionFaults,
    'has pods whose label does not name the release',
    (container) => {
      container.image = 'placard/serving-service:0.0.1';
    },
  ),
  onContainer(
    'metrics that Prometheus does not find',
    scrapeFaults,
    'is scraped at () instead of (9082 placard serving-service pod-0)',
    (container) => {
      container.ports = container.ports!.filter(({ name }) => name !== 'metrics');
    },
  ),
  onContainer(
    'an entry point that the image does not have',
    entryFaults,
    'runs dist/worker.js, which the image of serving-service does not have',
    (container) => {
      container.args = ['dist/worker.js'];
    },
  ),
  onPod('another user than the image', entryFaults, 'runs as another user than the image', (pod) => {
    pod.securityContext!.runAsUser = 65_532;
  }),
  on(
    'a Service that selects nothing',
    selectorFaults,
    'Service fraud-service: selects the pods of 0',
    (find) => {
      find('Service', 'fraud-service').spec!.selector = { app: 'fraud' };
    },
  ),
  on('an object of no service', labelFaults, 'Service gateway: has no label', (find) => {
    delete find('Service', 'gateway').metadata!.labels!['app.kubernetes.io/component'];
  }),
  onPod('pods that may all run on one node', selectorFaults, 'is not spread over nodes', (pod) => {
    pod.topologySpreadConstraints = [];
  }),
  onContainer(
    'a setting that the process does not read',
    settingFaults,
    'sets AD_TTL, which its process does not read',
    (container) => {
      container.env!.push({ name: 'AD_TTL', value: '60' });
    },
  ),
  onContainer('a required setting that is not set', settingFaults, 'REDIS_URL: is not set', (container) => {
    container.env = container.env!.filter(({ name }) => name !== 'REDIS_URL');
  }),
  onContainer(
    'a setting with a value that the process refuses',
    settingFaults,
    'AD_TTL_SECONDS: must be a whole number',
    (container) => {
      container.env!.push({ name: 'AD_TTL_SECONDS', value: 'half an hour' });
    },
  ),
  onContainer('settings from a missing ConfigMap', settingFaults, 'which does not exist', (container) => {
    container.envFrom = [{ configMapRef: { name: 'serving-service' } }];
  }),
  onContainer(
    'a secret as a value',
    secretFaults,
    'has the value of REDIS_URL, which is secret',
    (container) => {
      container.env!.push({ name: 'REDIS_URL', value: 'redis://:password@redis:6379' });
    },
  ),
  onContainer(
    'a key ring that is not mounted',
    secretFaults,
    'where nothing fitting is mounted',
    (container) => {
      container.volumeMounts = container.volumeMounts!.filter(({ name }) => name !== 'session-token-keys');
    },
  ),
  on('a secret in a ConfigMap', secretFaults, 'holds SESSION_TOKEN_KEYS, which is secret', (find) => {
    const map = find('Deployment', 'serving-service').spec!.template.spec!.containers[0]!.envFrom![0]!
      .configMapRef!.name!;
    find('ConfigMap', map).data!['SESSION_TOKEN_KEYS'] = 'k1:secret';
  }),
  onContainer('a port without a listener', portFaults, 'does not declare port grpc 50052', (container) => {
    container.ports = [{ name: 'grpc', containerPort: 50_051 }];
  }),
  onContainer(
    'a file that the process cannot write',
    volumeFaults,
    'cannot write to /var/cache/placard',
    (container) => {
      delete container.volumeMounts;
    },
  ),
  onContainer('a writable folder that nothing uses', volumeFaults, 'may write to /tmp', (container) => {
    container.volumeMounts!.push({ name: 'cache', mountPath: '/tmp' });
  }),
  on(
    'a disruption budget for more than the fewest pods',
    scalingFaults,
    'lets no pod go at 3 pods',
    (find) => {
      find('PodDisruptionBudget', 'gateway').spec = {
        ...find('PodDisruptionBudget', 'gateway').spec,
        minAvailable: 3,
      };
    },
  ),
  on(
    'a disruption budget that keeps pods that are not ready',
    scalingFaults,
    'Deployment gateway: its disruption budget keeps pods that are not ready',
    (find) => {
      delete find('PodDisruptionBudget', 'gateway').spec!.unhealthyPodEvictionPolicy;
    },
  ),
  on('replicas that both the scaler and the rollout set', scalingFaults, 'sets replicas', (find) => {
    find('Deployment', 'gateway').spec!.replicas = 3;
  }),
  on(
    'a scaler without a Deployment',
    scalingFaults,
    'Deployment settlement-worker: has 0 scalers',
    (find) => {
      find('HorizontalPodAutoscaler', 'settlement-worker').spec!.scaleTargetRef.name = 'worker';
    },
  ),
  onPod(
    'too little time to stop',
    rolloutFaults,
    'is killed after 20 s, and may take 20 s to stop',
    (pod) => {
      pod.terminationGracePeriodSeconds = 20;
    },
  ),
  onPolicy('a used path that is refused', 'to events-service 50053 is used and refused', (policy) => {
    policy.egress = policy.egress!.filter(({ ports }) => ports?.[0]?.port !== 50_053);
  }),
  on('a gateway that may book money', networkFaults, 'from gateway 50056 is allowed and not used', (find) => {
    const pods = { matchLabels: { 'app.kubernetes.io/name': 'gateway' } };
    const { spec } = find('NetworkPolicy', 'events-service');
    spec!.ingress!.push({ from: [{ podSelector: pods }], ports: [{ port: 50_056 }] });
  }),
  onPolicy('a caller that is refused', 'from gateway 50052 is used and refused', (policy) => {
    policy.ingress = [];
  }),
  onPolicy(
    'an allowed path that is not used',
    'to session-service 50051 is allowed and not used',
    (policy) => {
      const pods = { matchLabels: { 'app.kubernetes.io/name': 'session-service' } };
      policy.egress!.push({ to: [{ podSelector: pods }], ports: [{ port: 50_051 }] });
    },
  ),
  onPolicy('an allowed path to anywhere', 'to anything any port is allowed and not used', (policy) => {
    policy.egress!.push({});
  }),
  onPolicy('stores at public addresses', 'to 0.0.0.0/0 6379 is allowed and not used', (policy) => {
    policy.egress!.push({ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 6379 }] });
  }),
  onPolicy('a policy for one direction only', 'has no policy of its own for Egress', (policy) => {
    policy.policyTypes = ['Ingress'];
  }),
  on('an address that leads nowhere', networkFaults, 'nothing behind dns:///events-service:50053', (find) => {
    find('Service', 'events-service').metadata!.name = 'events';
  }),
  on('gRPC behind one address', serviceFaults, 'Service fraud-service: is not headless', (find) => {
    delete find('Service', 'fraud-service').spec!.clusterIP;
  }),
  on('an Ingress to a missing port', serviceFaults, '/v1 leads nowhere', (find) => {
    find('Service', 'gateway').spec!.ports![0]!.name = 'web';
  }),
];

type Find = <K extends keyof Kinds>(kind: K, name: string) => Kinds[K];

function on(title: string, rule: Rule, fault: string, plant: (find: Find) => void): PlantedFault {
  return { title, rule, fault, plant: (manifests) => plant((kind, name) => found(manifests, kind, name)) };
}

/** A fault in the pods of serving-service, which use every feature that the rules check. */
function onPod(title: string, rule: Rule, fault: string, plant: (pod: PodSpec) => void): PlantedFault {
  return on(title, rule, fault, (find) => plant(podOf(find('Deployment', 'serving-service'))));
}

function onContainer(
  title: string,
  rule: Rule,
  fault: string,
  plant: (container: Container) => void,
): PlantedFault {
  return onPod(title, rule, fault, (pod) => plant(pod.containers[0]!));
}

function onPolicy(title: string, fault: string, plant: (policy: NetworkPolicySpec) => void): PlantedFault {
  return on(title, networkFaults, fault, (find) => plant(find('NetworkPolicy', 'serving-service').spec!));
}

function podOf(deployment: Deployment): PodSpec {
  return deployment.spec!.template.spec!;
}

function found<K extends keyof Kinds>(manifests: readonly Manifest[], kind: K, name: string): Kinds[K] {
  const object = find(manifests, kind, name);
  if (object === undefined) throw new Error(`there is no ${kind} ${name}`);
  return object;
}
