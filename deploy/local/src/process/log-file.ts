import { writeAll } from '@placard/service-kit/files';
import { closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';

/** Size at which a log is rotated, in bytes. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;
/** Number of last lines that are kept, to be shown when a process fails. */
const TAIL_LINES_MAX = 30;
/** Most characters of a line that is shown or kept. The file has the whole line. */
const LINE_CHARS_MAX = 2_000;

/**
 * The log of one process. A start, or a log that is too large, renames the log to `<file>.1`, so a process has at most two
 * files. When a file cannot be written, such as on a full disk, only log lines are lost.
 */
export class LogFile {
  readonly #file: string;
  readonly #onLine: (line: string) => void;
  /** Null: the file could not be opened. The next line tries again. */
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
      // The tail is still kept.
    }
  }

  /** Appends output of a process. */
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

  /** Closes the file. Nothing may be written afterwards. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }

  #append(chunk: Buffer): void {
    try {
      if (this.#sizeBytes > LOG_BYTES_MAX) this.#rotate();
      this.#fd ??= this.#open();
      writeAll(this.#fd, chunk);
    } catch {
      // These lines are lost. Later lines may be written again.
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
