import type { Assignment } from '../generator/messages.js';
import type { LoadedProduct } from '../loaded-product.js';
import type { Skeleton } from './skeleton-processes.js';

/** The phones. */
export type Traffic = Pick<Assignment, 'sessions' | 'timeoutMs' | 'adMs' | 'acceptsGzip' | 'seed'>;

/** The assignment of phones of a product's catalog, with tokens sealed by its keys, to a part of the product or beside it. */
export function assignmentTo(
  { catalogFile, keys }: Pick<LoadedProduct, 'catalogFile' | 'keys'>,
  { target, address }: Pick<Assignment, 'target' | 'address'>,
  { sessions, timeoutMs, adMs, acceptsGzip, seed }: Traffic,
): Assignment {
  return {
    target,
    address,
    catalogFile,
    keys,
    sessionAddress: null,
    servingAddress: null,
    sessions,
    timeoutMs,
    adMs,
    acceptsGzip,
    seed,
  };
}

/** The processes whose CPU counts for the skeleton. Redis is shared, but nothing else uses it during the measurement. */
export function pidsBeside(product: LoadedProduct, skeleton: Skeleton): Readonly<Record<string, number>> {
  const { redis } = product.product.pids;
  return { ...skeleton.pids, ...(redis === undefined ? {} : { redis }) };
}
