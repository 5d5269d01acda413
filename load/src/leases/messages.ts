import type { ReplicaFigures } from './figures.js';

/** What the generator is to do. */
export interface LeaseAssignment {
  /** `host:port` of events-service. */
  readonly address: string;
  readonly campaigns: number;
  readonly replicas: number;
  /** Requests for an ad a second, over all replicas. */
  readonly rate: number;
  readonly seed: number;
}

/** To the generator: begin; count from now on; end and answer what was counted. */
export type LeaseOrder =
  | { readonly kind: 'begin'; readonly assignment: LeaseAssignment }
  | { readonly kind: 'count' }
  | { readonly kind: 'end' };

/** From the generator. */
export type LeaseReply =
  { readonly kind: 'done' } | { readonly kind: 'figures'; readonly figures: ReplicaFigures };
