import http from 'node:http';
import type { AnswerBody } from './wire.js';

/** One request exactly as it is sent. Only length and host are added to its headers. */
export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends the body in chunks, without a `Content-Length`. */
  readonly isChunked?: boolean;
}

/** An answer; `body` is the parsed JSON, or an empty object when the text is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: AnswerBody;
  readonly tookMs: number;
}

const ANSWER_WAIT_MS_MAX = 15_000;
const SOCKETS_MAX = 64;

/** Phones keep their connections alive, and so do the tests. */
const agent = new http.Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });

/** Sends one request to `baseUrl` (scheme, host and port). Rejects when the connection breaks or no answer comes. */
export function send(baseUrl: string, request: RawRequest): Promise<Answer> {
  const startedAt = performance.now();
  const target = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      agent,
      host: target.hostname,
      port: target.port,
      // URL would normalize paths such as `//v1/..`.
      path: request.path,
      method: request.method ?? 'POST',
      headers: { ...request.headers },
    });
    outgoing.setTimeout(ANSWER_WAIT_MS_MAX, () => {
      outgoing.destroy(new Error(`no answer from ${request.path} within ${ANSWER_WAIT_MS_MAX} ms`));
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      collect(incoming).then((bytes) => {
        resolve(toAnswer(incoming, bytes, performance.now() - startedAt));
      }, reject);
    });
    writeBody(outgoing, request);
  });
}

/** Sends `fields` as a JSON body. */
export function sendJson(
  baseUrl: string,
  path: string,
  fields: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(baseUrl, {
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });
}

function writeBody(outgoing: http.ClientRequest, request: RawRequest): void {
  if (request.body === undefined) {
    outgoing.end();
    return;
  }
  const bytes = Buffer.from(request.body);
  if (request.isChunked === true) {
    outgoing.setHeader('transfer-encoding', 'chunked');
    outgoing.write(bytes);
    outgoing.end();
    return;
  }
  outgoing.setHeader('content-length', bytes.length);
  outgoing.end(bytes);
}

async function collect(incoming: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function toAnswer(incoming: http.IncomingMessage, bytes: Buffer, tookMs: number): Answer {
  const text = bytes.toString('utf8');
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    bytes,
    text,
    body: parsed(text),
    tookMs,
  };
}

function parsed(text: string): AnswerBody {
  try {
    return JSON.parse(text) as AnswerBody;
  } catch {
    return {} as AnswerBody;
  }
}
