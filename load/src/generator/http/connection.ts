import { connect, type Socket } from 'node:net';
import { LEFT, type Written } from '../api.js';
import { readAnswer, type RawAnswer } from './read-answer.js';

/** The end of a request: its answer, or why there is none: `timeout`, `closed`, a code such as `ECONNREFUSED`. */
export type Ending = RawAnswer | string;

/** The server of a connection and the callbacks of its owner. */
export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** Longest wait for an answer, in milliseconds. Then the client leaves: the connection is closed. */
  readonly timeoutMs: number;
  /** Called when the connection can take the next request. */
  readonly onFree: (connection: Connection) => void;
  /** Called once when the connection has ended. */
  readonly onEnd: (connection: Connection) => void;
}

interface Request {
  readonly done: (ending: Ending) => void;
  readonly timer: NodeJS.Timeout;
}

/** Largest read. All connections share the buffer, since each read is used up before the next one. */
const READ_BUFFER = Buffer.allocUnsafe(65_536);

/**
 * A kept-alive connection of a client, with one request at a time. It reads answers itself, at a fraction of the CPU of
 * `node:http`, because a generator that shares the machine with the product must cost little at three times its saturation.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  #request: Request | null = null;
  /** The first part of an incomplete answer. */
  #part: Buffer | null = null;
  /** When it became free, by `performance.now()`. */
  freeSinceMs = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { host, port } = options;
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      onread: { buffer: READ_BUFFER, callback: (length, buffer) => this.#receive(buffer, length) },
    });
    let reason = 'closed';
    this.#socket.on('error', (error: NodeJS.ErrnoException) => (reason = error.code ?? error.message));
    this.#socket.on('end', () => this.#socket.destroy());
    this.#socket.on('close', () => {
      this.#finish(reason);
      options.onEnd(this);
    });
  }

  /** Sends a request; `written` is called when the operating system has all of it. */
  send(bytes: string, done: (ending: Ending) => void, written?: Written): void {
    this.#request = { done, timer: setTimeout(() => this.#leave(), this.#options.timeoutMs) };
    if (written === undefined) this.#socket.write(bytes);
    else this.#socket.write(bytes, (error) => (error == null ? written() : undefined));
  }

  close(): void {
    this.#socket.destroy();
  }

  #leave(): void {
    this.#finish(LEFT);
    // A reset keeps no port in TIME_WAIT. There are fewer ports than clients that may leave in a minute.
    if (this.#socket.connecting) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  #receive(buffer: Uint8Array, length: number): boolean {
    const fresh = Buffer.from(buffer.buffer, buffer.byteOffset, length);
    const bytes = this.#part === null ? fresh : Buffer.concat([this.#part, fresh]);
    let answer: RawAnswer | null;
    try {
      answer = readAnswer(bytes);
    } catch (error) {
      this.#finish(error instanceof Error ? error.message : String(error));
      this.#socket.destroy();
      return true;
    }
    this.#part = answer === null ? Buffer.from(bytes) : null;
    if (answer === null) return true;
    this.#finish(answer);
    if (answer.isLast) this.#socket.destroy();
    else if (!this.#socket.destroyed) this.#options.onFree(this);
    return true;
  }

  #finish(ending: Ending): void {
    const request = this.#request;
    this.#request = null;
    if (request === null) return;
    clearTimeout(request.timer);
    request.done(ending);
  }
}
