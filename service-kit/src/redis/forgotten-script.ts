import { messageOf } from '../process/errors.js';

/** Whether a node of Redis does not know the script that it was asked for by its hash: after a restart, a flush or a failover. */
export function isForgottenScript(error: unknown): boolean {
  return messageOf(error).startsWith('NOSCRIPT');
}
