import { messageOf } from '../process/errors.js';

/** Whether a Redis node has not loaded the script of this hash: after a restart, a flush or a failover. */
export function isForgottenScript(error: unknown): boolean {
  return messageOf(error).startsWith('NOSCRIPT');
}
