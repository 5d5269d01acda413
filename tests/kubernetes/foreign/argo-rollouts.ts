import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The used part of Argo Rollouts' Rollout. */
export interface Rollout {
  apiVersion?: 'argoproj.io/v1alpha1';
  kind?: 'Rollout';
  metadata?: ObjectMeta;
  spec: {
    workloadRef: {
      apiVersion: 'apps/v1';
      kind: 'Deployment';
      name: string;
      scaleDown: 'never' | 'onsuccess' | 'progressively';
    };
    minReadySeconds: number;
    progressDeadlineSeconds: number;
    revisionHistoryLimit: number;
    strategy: { canary: { maxSurge: number; maxUnavailable: number; steps: Step[] } };
  };
}

type Step =
  | { setWeight: number }
  | { pause: { duration: string } }
  | { analysis: { templates: { templateName: string }[] } };

/** The used part of Argo Rollouts' AnalysisTemplate. */
export interface AnalysisTemplate {
  apiVersion?: 'argoproj.io/v1alpha1';
  kind?: 'AnalysisTemplate';
  metadata?: ObjectMeta;
  spec: {
    metrics: {
      name: string;
      interval: string;
      count: number;
      failureLimit: number;
      successCondition: string;
      provider: { prometheus: { address: string; query: string } };
    }[];
  };
}
