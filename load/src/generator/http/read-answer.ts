/** An answer as it came over a connection. */
export interface RawAnswer {
  readonly status: number;
  /** Value of `Retry-After`; null: there is none. */
  readonly retryAfter: string | null;
  /** Whether the body is compressed with gzip. */
  readonly isGzip: boolean;
  readonly body: Buffer;
  /** Whether the server closes the connection after the answer. */
  readonly isLast: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
/** Position of the status in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;

/**
 * Reads an HTTP/1.1 answer from the bytes of a connection so far. Null: it is not complete. Throws an `Error` when the bytes
 * are no answer, or one whose length is not given.
 */
export function readAnswer(bytes: Buffer): RawAnswer | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
  if (!head.startsWith('HTTP/1.') || !Number.isInteger(status)) throw new Error('not HTTP');
  const body = bodyOf(bytes, headEnd + HEAD_END.length, head);
  if (body === null) return null;
  return {
    status,
    retryAfter: headerOf(head, 'retry-after'),
    isGzip: headerOf(head, 'content-encoding') === 'gzip',
    body,
    isLast: headerOf(head, 'connection')?.toLowerCase() === 'close',
  };
}

function bodyOf(bytes: Buffer, from: number, head: string): Buffer | null {
  const length = headerOf(head, 'content-length');
  if (length !== null) {
    const to = from + Number(length);
    return bytes.length < to ? null : bytes.subarray(from, to);
  }
  if (headerOf(head, 'transfer-encoding')?.toLowerCase() !== 'chunked') throw new Error('no length');
  return readChunks(bytes, from);
}

/** The chunks of a body in one; null: the last one is missing. */
function readChunks(bytes: Buffer, from: number): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = from; ;) {
    const sizeEnd = bytes.indexOf(LINE_END, at);
    if (sizeEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), 16);
    if (Number.isNaN(size)) throw new Error('not a chunk');
    const start = sizeEnd + LINE_END.length;
    at = start + size + LINE_END.length;
    if (bytes.length < at) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(start, start + size));
  }
}

function headerOf(head: string, name: string): string | null {
  return HEADERS[name]?.exec(head)?.[1] ?? null;
}

/** A pattern for each header that is read. */
const HEADERS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  ['content-length', 'transfer-encoding', 'content-encoding', 'connection', 'retry-after'].map((name) => [
    name,
    new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i'),
  ]),
);
