import { ConfigError, messageOf, type Scope } from '@placard/service-kit';
import { SECOND_MS } from '@placard/service-kit/pure';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pause between two attempts while the database is away. */
const PAUSE_MS = SECOND_MS;

/**
 * Waits until the currency of the installation is kept. Error `ConfigError`: the books are in another one, which stops the
 * start. An unreachable database delays the start, since no amount may be booked before.
 */
export async function openCurrency(scope: Scope, keepCurrency: () => Promise<void>): Promise<void> {
  for (let isFirst = true; !scope.stopping.aborted; isFirst = false) {
    try {
      await keepCurrency();
      return;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      if (isFirst) scope.log.warn({ reason: messageOf(error) }, 'the start waits for the database');
      await sleep(PAUSE_MS);
    }
  }
}
