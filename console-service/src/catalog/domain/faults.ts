import { inOneLine } from '@placard/service-kit/pure';

/** Most faults that are kept. The rest is counted. */
export const FAULTS_MAX = 500;

/** Longest path that is shown. An unknown key can have any length. */
const PATH_CHARS_MAX = 300;

/** The state of {@link Faults}: the kept faults, and the number of further ones. */
export interface FaultParts {
  readonly lines: readonly string[];
  readonly more: number;
}

/** Collects the faults or warnings of a catalog file, each with its path in the file. */
export class Faults {
  readonly #lines: string[];
  #more: number;
  readonly #things: string;

  /** Starts with the faults in `parts`. `things` is what the lines are, where they are not faults. */
  constructor({ lines, more }: FaultParts = { lines: [], more: 0 }, things = 'faults') {
    this.#lines = [...lines];
    this.#more = more;
    this.#things = things;
  }

  /** Adds a fault; `path` is empty for the file as a whole. Both may quote the file. Each fault stays on one line. */
  add(path: string, message: string): void {
    if (this.#lines.length >= FAULTS_MAX) this.#more += 1;
    else this.#lines.push(inOneLine(`${path === '' ? 'file' : shortened(path)}: ${message}`));
  }

  isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** The state, for a new list that continues this one. */
  parts(): FaultParts {
    return { lines: this.#lines, more: this.#more };
  }

  /** Lines `path: fault` in the order in which they were found. The last line counts the faults that are not listed. */
  list(): readonly string[] {
    return this.#more === 0
      ? this.#lines
      : [...this.#lines, `file: ${this.#more} more ${this.#things} are not listed`];
  }
}

function shortened(path: string): string {
  return path.length > PATH_CHARS_MAX ? `${path.slice(0, PATH_CHARS_MAX)}…` : path;
}
