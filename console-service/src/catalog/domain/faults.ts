import { inOneLine } from '@placard/service-kit/pure';

/** Longest list of faults that is kept; the rest is counted. */
export const FAULTS_MAX = 500;

/** Longest path that is shown: an unknown key can be of any length. */
const PATH_CHARS_MAX = 300;

/** What {@link Faults} holds: the faults that are kept, and how many more there are. */
export interface FaultParts {
  readonly lines: readonly string[];
  readonly more: number;
}

/** Collects what is wrong with a catalog file, each with its path in the file's own nesting. */
export class Faults {
  readonly #lines: string[];
  #more: number;

  /** `parts` is what was found before. */
  constructor({ lines, more }: FaultParts = { lines: [], more: 0 }) {
    this.#lines = [...lines];
    this.#more = more;
  }

  /** `path` is empty for the file as a whole. Both may hold what the file says: each fault stays one line. */
  add(path: string, message: string): void {
    if (this.#lines.length >= FAULTS_MAX) this.#more += 1;
    else this.#lines.push(inOneLine(`${path === '' ? 'file' : shortened(path)}: ${message}`));
  }

  isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** What a new list of faults begins with to go on from here. */
  parts(): FaultParts {
    return { lines: this.#lines, more: this.#more };
  }

  /** `path: what is wrong`, in the order in which they were found; the last one says how many are not listed. */
  list(): readonly string[] {
    return this.#more === 0
      ? this.#lines
      : [...this.#lines, `file: ${this.#more} more faults are not listed`];
  }
}

function shortened(path: string): string {
  return path.length > PATH_CHARS_MAX ? `${path.slice(0, PATH_CHARS_MAX)}…` : path;
}
