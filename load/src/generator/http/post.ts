import { gunzip } from 'node:zlib';
import type { Written } from '../api.js';
import { Connection, type Ending } from './connection.js';

/** The server and how it is called. */
export interface HttpOptions {
  /** `host:port`. */
  readonly address: string;
  /** Longest wait of a client, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether answers may be compressed. */
  readonly acceptsGzip: boolean;
}

/** An answer; status 0 when none came. */
export interface Answer {
  readonly status: number;
  /** Value of `Retry-After`; null: there is none. */
  readonly retryAfter: string | null;
  readonly body: Body;
}

/** The fields of all answers. */
export interface Body {
  readonly session_token?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly request_id?: string;
  readonly ad?: { readonly impression_token: string };
  readonly error?: { readonly code: string };
}

/**
 * Sends JSON from a client address; `written` is called when the operating system has all of it. Without an answer, the
 * result has status 0 and the reason in its body.
 */
export type Post = ((
  path: string,
  address: string,
  fields: unknown,
  written?: Written,
) => Promise<Answer>) & {
  readonly close: () => void;
};

/** A connection that was free for longer is not used again: the server may be closing it. In milliseconds. */
const FREE_MS_MAX = 4_000;

/**
 * Opens a client over kept-alive connections, like phones behind one proxy. A request that finds no free connection opens one,
 * so no request waits for the answer of another.
 */
export function openPost({ address, timeoutMs, acceptsGzip }: HttpOptions): Post {
  const { hostname: host, port } = new URL(`http://${address}`);
  const encoding = acceptsGzip ? 'Accept-Encoding: gzip\r\n' : '';
  const all = new Set<Connection>();
  // The one that was used last is used next, so the others grow old and are closed.
  const free: Connection[] = [];
  const open = (): Connection => {
    const connection = new Connection({
      host,
      port: Number(port === '' ? 80 : port),
      timeoutMs,
      onFree: (one) => {
        one.freeSinceMs = performance.now();
        free.push(one);
      },
      onEnd: (one) => {
        all.delete(one);
        const at = free.indexOf(one);
        if (at !== -1) free.splice(at, 1);
      },
    });
    all.add(connection);
    return connection;
  };
  const take = (): Connection => {
    const last = free.pop();
    if (last === undefined) return open();
    if (performance.now() - last.freeSinceMs < FREE_MS_MAX) return last;
    for (const old of [last, ...free.splice(0)]) old.close();
    return open();
  };
  const post = (path: string, from: string, fields: unknown, written?: Written): Promise<Answer> =>
    new Promise((resolve) => {
      const body = JSON.stringify(fields);
      const head = `POST ${path} HTTP/1.1\r\nHost: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Forwarded-For: ${from}\r\n${encoding}\r\n`;
      take().send(head + body, (ending) => decode(ending, resolve), written);
    });
  const close = (): void => {
    for (const connection of all) connection.close();
  };
  return Object.assign(post, { close });
}

function decode(ending: Ending, done: (answer: Answer) => void): void {
  if (typeof ending === 'string') {
    done({ status: 0, retryAfter: null, body: { reason: ending } });
    return;
  }
  const { status, retryAfter, isGzip, body } = ending;
  const finish = (text: string): void => done({ status, retryAfter, body: parse(text) });
  if (!isGzip) finish(body.toString());
  // Decompression ends after the next read has overwritten the shared buffer.
  else gunzip(Buffer.from(body), (error, text) => finish(error === null ? text.toString() : ''));
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return { reason: 'not JSON' };
  }
}
