import { messageOf } from '../process/errors.js';

/** Codes by which a Redis that answers refuses a write: memory, disk, a replica, too few replicas. */
const REDIS_REFUSALS = /^(?:OOM|MISCONF|READONLY|NOREPLICAS)\b/;

/**
 * A sentence for whoever asked, about a command that failed: whether Redis refuses writes or did not answer. `name`: what the
 * data are called there, in the plural, such as `The limits`.
 */
export function redisFault(name: string, error: unknown): string {
  const isRefusal = REDIS_REFUSALS.test(messageOf(error));
  return isRefusal ? `${name} take no writes: Redis refuses them.` : `${name} cannot be reached.`;
}

/** What a health component says of a Redis whose probe failed: whether it takes no writes or does not answer. */
export function redisDetail(error: unknown): string {
  const reason = messageOf(error);
  return REDIS_REFUSALS.test(reason) ? `it takes no writes: ${reason}` : reason;
}
