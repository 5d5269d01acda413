import type { Assignment } from '../generator/messages.js';
import type { LoadedProduct } from '../loaded-product.js';
import type { Skeleton } from './skeleton-processes.js';

/** Who the phones are, and over how many connections they come. */
export type Traffic = Pick<Assignment, 'sessions' | 'connections' | 'acceptsGzip' | 'seed'>;

/** What phones of a product's catalog, with tokens sealed by its keys, are bound for: a part of the product or what runs beside it. */
export function assignmentTo(
  { catalogFile, keys }: Pick<LoadedProduct, 'catalogFile' | 'keys'>,
  { target, address }: Pick<Assignment, 'target' | 'address'>,
  { sessions, connections, acceptsGzip, seed }: Traffic,
): Assignment {
  return {
    target,
    address,
    catalogFile,
    keys,
    sessionAddress: null,
    servingAddress: null,
    sessions,
    connections,
    acceptsGzip,
    seed,
  };
}

/** The processes whose CPU is the skeleton's: Redis is shared, but nothing else runs while the skeleton is measured. */
export function pidsBeside(product: LoadedProduct, skeleton: Skeleton): Readonly<Record<string, number>> {
  const { redis } = product.product.pids;
  return { ...skeleton.pids, ...(redis === undefined ? {} : { redis }) };
}
