import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** The used part of cert-manager's Certificate. */
export interface Certificate {
  apiVersion?: 'cert-manager.io/v1';
  kind?: 'Certificate';
  metadata?: ObjectMeta;
  spec: {
    isCA?: boolean;
    commonName?: string;
    secretName: string;
    duration: string;
    renewBefore: string;
    privateKey: { algorithm: 'ECDSA'; size: 256 | 384; rotationPolicy: 'Always' | 'Never' };
    usages?: ('digital signature' | 'server auth' | 'client auth')[];
    dnsNames?: string[];
    issuerRef: { kind: 'Issuer' | 'ClusterIssuer'; name: string };
  };
}

/** The used part of cert-manager's Issuer. */
export interface Issuer {
  apiVersion?: 'cert-manager.io/v1';
  kind?: 'Issuer';
  metadata?: ObjectMeta;
  spec: { selfSigned: object } | { ca: { secretName: string } };
}
