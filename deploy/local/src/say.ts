import { printable } from '@placard/service-kit/pure';

/** Output for the person who started Placard, one line for each call. */
export interface Say {
  /** A step or a fact. */
  info(text: string): void;
  /** A warning that may need an action. */
  warn(text: string): void;
  /** A line of a process's log. */
  from(name: string, line: string): void;
}

/**
 * Prints on standard output. A closed pipe is no failure. Control characters in texts of files, arguments and processes are
 * shown as escapes.
 */
export function makeSay(): Say {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const write = (text: string): void => void process.stdout.write(`${printable(text)}\n`);
  return {
    info: write,
    warn: (text) => write(`! ${text}`),
    from: (name, line) => write(`! ${name}: ${line}`),
  };
}
