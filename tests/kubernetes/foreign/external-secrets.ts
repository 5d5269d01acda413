import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The used part of the External Secrets Operator's ExternalSecret. */
export interface ExternalSecret {
  apiVersion?: 'external-secrets.io/v1';
  kind?: 'ExternalSecret';
  metadata?: ObjectMeta;
  spec: {
    refreshInterval: string;
    secretStoreRef: { kind: 'SecretStore'; name: string };
    target: { name: string };
    data: { secretKey: string; remoteRef: { key: string; property: string } }[];
  };
}
