import { choosePorts } from './ports.js';
import {
  portNames,
  replicaName,
  services,
  type Ports,
  type ReplicaPorts,
  type ServiceName,
} from './services.js';
import type { RedisCluster } from './stores/redis-cluster.js';

/** Numbers of replicas. */
export interface Topology {
  /** Replicas of every process, or of those that `replicated` names; at least 1. */
  readonly replicas: number;
  /** Processes that have several replicas; default: all. */
  readonly replicated?: readonly ServiceName[];
  /** Null: one Redis. A cluster has at least 3 masters, each with `replicasOfEach` replicas. */
  readonly redisCluster: { readonly masters: number; readonly replicasOfEach: number } | null;
}

/** One of each. */
export const SINGLE: Topology = { replicas: 1, redisCluster: null };

/** Ports of a topology. */
export interface PlannedPorts {
  readonly ports: Ports;
  readonly moreReplicas: readonly ReplicaPorts[];
  readonly redisCluster: RedisCluster | null;
}

/** The processes that have several replicas if `replicas` is more than 1. */
export function replicatedBy({ replicated }: Topology): readonly ServiceName[] {
  return replicated ?? services.map(({ name }) => name);
}

const ownNames = portNames.filter((name) => name !== 'postgres' && name !== 'redis');

/** Chooses free ports for a topology and stores them in the file. */
export async function planPorts(file: string, topology: Topology): Promise<PlannedPorts> {
  const { masters, replicasOfEach } = topology.redisCluster ?? { masters: 0, replicasOfEach: 0 };
  const numbers = Array.from({ length: topology.replicas - 1 }, (_, index) => index + 2);
  const nodes = Array.from({ length: masters * (1 + replicasOfEach) }, (_, index) => index + 1);
  const names = [
    ...numbers.flatMap((number) => [...ownNames, 'gateway.http'].map((name) => nameFor(number, name))),
    ...nodes.flatMap((number) => [`redis-${number}`, `redis-${number}.bus`]),
  ];
  const chosen: Readonly<Record<string, number>> = await choosePorts(file, [...portNames, ...names]);
  const at = (name: string): number => chosen[name] ?? 0;
  const ports = Object.fromEntries(portNames.map((name) => [name, at(name)])) as Ports;
  return {
    ports,
    moreReplicas: numbers.map((number) => {
      const own = [...ownNames, 'gateway.http'].map((name) => [name, at(nameFor(number, name))] as const);
      return { ...ports, ...Object.fromEntries(own) } as ReplicaPorts;
    }),
    redisCluster:
      nodes.length === 0
        ? null
        : {
            masters,
            nodes: nodes.map((number) => ({
              name: `redis-${number}`,
              port: at(`redis-${number}`),
              busPort: at(`redis-${number}.bus`),
            })),
          },
  };
}

/** The name of a replica's port: `gateway-2.metrics`. */
function nameFor(replica: number, portName: string): string {
  const [name = '', port = ''] = portName.split('.');
  return `${replicaName(name, replica)}.${port}`;
}
