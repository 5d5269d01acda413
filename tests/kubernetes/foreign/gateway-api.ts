import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The used part of the Gateway API's HTTPRoute. */
export interface HTTPRoute {
  apiVersion?: 'gateway.networking.k8s.io/v1';
  kind?: 'HTTPRoute';
  metadata?: ObjectMeta;
  spec: {
    parentRefs: { name: string; namespace: string }[];
    hostnames: string[];
    rules: {
      matches: { path: { type: 'Exact' | 'PathPrefix'; value: string } }[];
      backendRefs: { name: string; port: number }[];
    }[];
  };
}
