import { messageOf } from '../process/errors.js';
import type { Logger } from '../process/logs.js';

/** Takes the outcome of every attempt and logs what is new. */
export interface FailureLog {
  failed(error: unknown): void;
  worked(): void;
}

/** What a {@link FailureLog} may be told. */
export interface FailureLogOptions {
  /**
   * True: the first attempt may come before its stores and peers do, so that its failure is logged as `info`. What fails after
   * it as well gets its warning. Default false.
   */
  readonly isFirstQuiet?: boolean;
}

/**
 * The one policy for work that is tried again: a warning with the `reason` when it begins to fail, one line when it works
 * again, and nothing in between, however long an outage lasts. `name` is what is done: `pruning the log`.
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
