import type { ReplicaFigures } from './figures.js';

/** The assignment of the generator. */
export interface LeaseAssignment {
  /** `host:port` of events-service. */
  readonly address: string;
  readonly campaigns: number;
  readonly replicas: number;
  /** Ad requests per second over all replicas. */
  readonly rate: number;
  readonly seed: number;
}

/** A message to the generator: begin; start counting; end and send the counts. */
export type LeaseOrder =
  | { readonly kind: 'begin'; readonly assignment: LeaseAssignment }
  | { readonly kind: 'count' }
  | { readonly kind: 'end' };

/** A message from the generator. */
export type LeaseReply =
  { readonly kind: 'done' } | { readonly kind: 'figures'; readonly figures: ReplicaFigures };
