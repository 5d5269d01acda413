import { writeAll } from '@placard/service-kit/files';
import { closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';

/** Size at which a log moves aside, in bytes. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;
/** How many of the last lines are kept to be shown when a process fails. */
const TAIL_LINES_MAX = 30;
/** A longer line is cut where it is shown or kept, in characters; the file has it whole. */
const LINE_CHARS_MAX = 2_000;

/**
 * The log of one process. Each start moves the log of the start before to `<file>.1`, and so does a log that has grown
 * too large: at most two files a process. A file that cannot be written, as on a full disk, costs log lines and nothing else.
 */
export class LogFile {
  readonly #file: string;
  readonly #onLine: (line: string) => void;
  /** Null: the file could not be opened, which is tried again with the next line. */
  #fd: number | null = null;
  #sizeBytes = 0;
  #rest = '';
  #tail: string[] = [];

  /** `onLine` is called with every whole line that is written. */
  constructor(file: string, onLine: (line: string) => void) {
    this.#file = file;
    this.#onLine = onLine;
    try {
      if (existsSync(file) && statSync(file).size > 0) renameSync(file, `${file}.1`);
      this.#fd = this.#open();
    } catch {
      // The tail is kept all the same.
    }
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
    if (this.#fd !== null) closeSync(this.#fd);
  }

  #append(chunk: Buffer): void {
    try {
      if (this.#sizeBytes > LOG_BYTES_MAX) this.#rotate();
      this.#fd ??= this.#open();
      writeAll(this.#fd, chunk);
    } catch {
      // Those lines are lost; the next may fit again.
    }
    this.#sizeBytes += chunk.length;
  }

  #keep(line: string): void {
    if (line.trim() === '') return;
    this.#tail.push(line);
    if (this.#tail.length > TAIL_LINES_MAX) this.#tail = this.#tail.slice(-TAIL_LINES_MAX);
    this.#onLine(line);
  }

  #rotate(): void {
    renameSync(this.#file, `${this.#file}.1`);
    this.close();
    this.#fd = null;
    this.#sizeBytes = 0;
  }

  #open(): number {
    return openSync(this.#file, 'a', 0o600);
  }
}
