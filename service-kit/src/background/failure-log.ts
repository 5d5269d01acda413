import { messageOf } from '../process/errors.js';
import type { Logger } from '../process/logs.js';

/** Receives the outcome of every attempt and logs changes only. */
export interface FailureLog {
  failed(error: unknown): void;
  worked(): void;
}

/** Options of {@link makeFailureLog}. */
export interface FailureLogOptions {
  /**
   * True: stores and peers may start after the first attempt, so its failure has the level `info`. A second failure in a row
   * is a warning. Default false.
   */
  readonly isFirstQuiet?: boolean;
}

/**
 * The one policy for repeated work: a warning with the `reason` when it begins to fail, one line when it works again, and
 * nothing in between, however long an outage lasts. `name` describes the work: `pruning the log`. Lines that requests cause
 * follow the policy of `makeSampledLog`.
 */
export function makeFailureLog(
  log: Pick<Logger, 'info' | 'warn'>,
  name: string,
  { isFirstQuiet = false }: FailureLogOptions = {},
): FailureLog {
  let state: 'new' | 'failed once' | 'working' | 'failing' = isFirstQuiet ? 'new' : 'working';
  return {
    failed(error) {
      if (state === 'failing') return;
      const isFirst = state === 'new';
      state = isFirst ? 'failed once' : 'failing';
      log[isFirst ? 'info' : 'warn']({ reason: messageOf(error) }, `${name} failed; it is tried again`);
    },
    worked() {
      if (state === 'failing' || state === 'failed once') log.info(`${name} works again`);
      state = 'working';
    },
  };
}
