import type { Assignment } from './generator/messages.js';
import type { LoadedProduct } from './loaded-product.js';
import type { LoadOptions } from './options.js';
import type { Skeleton } from './skeleton-processes.js';
import { Swarm } from './swarm.js';

/** Opens generators for the gateway of a product, or for the skeleton that runs beside it, with the phones of its catalog. */
export function openSwarmBeside(
  product: LoadedProduct,
  { target, address }: Pick<Assignment, 'target' | 'address'>,
  options: LoadOptions,
  stopping: AbortSignal | undefined,
): Promise<Swarm> {
  const assignment = {
    target,
    address,
    catalogFile: product.catalogFile,
    keys: product.keys,
    sessionAddress: null,
    servingAddress: null,
    sessions: options.sessions,
    connections: options.concurrency,
    acceptsGzip: options.acceptsGzip,
    seed: options.seed,
  };
  return Swarm.open(assignment, options.generators, stopping);
}

/** The processes whose CPU is the skeleton's: Redis is shared, but nothing else runs while the skeleton is measured. */
export function pidsBeside(product: LoadedProduct, skeleton: Skeleton): Readonly<Record<string, number>> {
  const { redis } = product.product.pids;
  return { ...skeleton.pids, ...(redis === undefined ? {} : { redis }) };
}
