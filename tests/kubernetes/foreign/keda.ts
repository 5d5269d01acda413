import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The used part of KEDA's ScaledObject. */
export interface ScaledObject {
  apiVersion?: 'keda.sh/v1alpha1';
  kind?: 'ScaledObject';
  metadata?: ObjectMeta;
  spec: {
    scaleTargetRef: { name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    cooldownPeriod?: number;
    fallback?: { failureThreshold: number; replicas: number };
    triggers: {
      type: 'prometheus';
      metadata: { serverAddress: string; query: string; threshold: string };
    }[];
  };
}
