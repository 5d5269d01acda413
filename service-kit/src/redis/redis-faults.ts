import { messageOf } from '../process/errors.js';

/** Error codes with which Redis refuses a write: memory, disk, a replica, too few replicas. */
const REDIS_REFUSALS = /^(?:OOM|MISCONF|READONLY|NOREPLICAS)\b/;

/**
 * A sentence for the caller about a failed command: Redis refuses writes, or cannot be reached. `name` is the subject
 * of the sentence, in the plural, such as `The limits`.
 */
export function redisFault(name: string, error: unknown): string {
  const isRefusal = REDIS_REFUSALS.test(messageOf(error));
  return isRefusal ? `${name} take no writes: Redis refuses them.` : `${name} cannot be reached.`;
}

/** What the client says of a command whose connection is closed. */
export const CONNECTION_CLOSED = 'Connection is closed.';

/** The reason why a client has no connection. A cluster has that of the node that it asked last. */
export function connectionFault(error: Error): string {
  const { lastNodeError } = error as { readonly lastNodeError?: unknown };
  return messageOf(lastNodeError ?? error);
}

/** The detail of a health component whose Redis probe failed: whether Redis takes no writes or does not answer. */
export function redisDetail(error: unknown): string {
  const reason = messageOf(error);
  return REDIS_REFUSALS.test(reason) ? `it takes no writes: ${reason}` : reason;
}
