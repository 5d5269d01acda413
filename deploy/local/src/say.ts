import { printable } from '@placard/service-kit/pure';

/** What a person who started Placard reads; one line each. */
export interface Say {
  /** A step or a fact. */
  info(text: string): void;
  /** Something that a person may want to act on. */
  warn(text: string): void;
  /** A line of a process's log. */
  from(name: string, line: string): void;
}

/**
 * Says on standard output; a reader that has gone away is no reason to fail. A terminal obeys nothing of what a file, an
 * argument or another process has put into a text.
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
