import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

/** Size at which a log moves aside, in bytes. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;
/** How many of the last lines are kept to be shown when a process fails. */
const TAIL_LINES_MAX = 30;
/** A longer line is cut where it is shown or kept, in characters; the file has it whole. */
const LINE_CHARS_MAX = 2_000;

/**
 * The log of one process. Each start moves the log of the start before to `<file>.1`, and so does a log that has grown
 * too large: at most two files a process.
 */
export class LogFile {
  readonly #file: string;
  readonly #onLine: (line: string) => void;
  #fd: number;
  #sizeBytes = 0;
  #rest = '';
  #tail: string[] = [];

  /** `onLine` is called with every whole line that is written. */
  constructor(file: string, onLine: (line: string) => void) {
    this.#file = file;
    this.#onLine = onLine;
    if (existsSync(file) && statSync(file).size > 0) renameSync(file, `${file}.1`);
    this.#fd = openSync(file, 'a', 0o600);
  }

  /** Appends what a process wrote. */
  write(chunk: Buffer): void {
    this.#append(chunk);
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX);
    for (const line of lines) this.#keep(line.slice(0, LINE_CHARS_MAX));
  }

  /** The last lines, oldest first. */
  tail(): readonly string[] {
    return this.#rest === '' ? this.#tail : [...this.#tail, this.#rest];
  }

  /** Closes the file; nothing may be written after. */
  close(): void {
    closeSync(this.#fd);
  }

  /** A full disk costs log lines, not the product. */
  #append(chunk: Buffer): void {
    try {
      if (this.#sizeBytes > LOG_BYTES_MAX) this.#rotate();
      this.#sizeBytes += writeSync(this.#fd, chunk);
    } catch {
      this.#sizeBytes += chunk.length;
    }
  }

  #keep(line: string): void {
    if (line.trim() === '') return;
    this.#tail.push(line);
    if (this.#tail.length > TAIL_LINES_MAX) this.#tail = this.#tail.slice(-TAIL_LINES_MAX);
    this.#onLine(line);
  }

  #rotate(): void {
    closeSync(this.#fd);
    renameSync(this.#file, `${this.#file}.1`);
    this.#fd = openSync(this.#file, 'a', 0o600);
    this.#sizeBytes = 0;
  }
}
