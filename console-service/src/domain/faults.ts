import { inOneLine } from '@placard/service-kit/pure';

/** Longest list of faults that is kept; the rest is counted. */
export const FAULTS_MAX = 500;

/** Collects what is wrong with a catalog file, each with its path in the file's own nesting. */
export class Faults {
  readonly #lines: string[] = [];
  #more = 0;

  /** `path` is empty for the file as a whole. Both may hold what the file says: each fault stays one line. */
  add(path: string, message: string): void {
    if (this.#lines.length >= FAULTS_MAX) this.#more += 1;
    else this.#lines.push(inOneLine(`${path === '' ? 'file' : path}: ${message}`));
  }

  isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** `path: what is wrong`, in the order in which they were found; the last one says how many are not listed. */
  list(): readonly string[] {
    return this.#more === 0
      ? this.#lines
      : [...this.#lines, `file: ${this.#more} more faults are not listed`];
  }
}
