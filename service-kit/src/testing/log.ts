import { makeLogger, type Logger } from '../process/logs.js';

/** One line of a log as tests look at it. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly msg: string;
  readonly reason?: string;
}

const LEVELS: Readonly<Record<number, LogLine['level']>> = { 30: 'info', 40: 'warn', 50: 'error' };

/** A log whose lines from level `info` on a test can look at. */
export function makeTestLog(): { readonly log: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const log = makeLogger('test', 'info', {
    destination: {
      write(text) {
        const { level, msg, reason } = JSON.parse(text) as Omit<LogLine, 'level'> & {
          readonly level: number;
        };
        const line = { level: LEVELS[level] ?? 'error', msg };
        lines.push(reason === undefined ? line : { ...line, reason });
      },
    },
  });
  return { log, lines };
}
