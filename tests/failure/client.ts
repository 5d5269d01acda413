import http from 'node:http';
import type { AnswerBody } from '../driver/wire.js';
import type { Outcome } from './book.js';

/** An answer; null when none came, because the connection broke or the time ran out. */
export type Reply = {
  readonly status: number;
  readonly retryAfterMs: number;
  readonly body: AnswerBody;
} | null;

/** How long a phone waits for an answer, in milliseconds. */
export const ANSWER_MS_MAX = 2_500;
const SOCKETS_MAX = 128;
const SECOND_MS = 1_000;

/** Receives a description of a request that failed, and when it was sent, in epoch milliseconds. */
export type OnTrouble = (what: string, sentAtMs: number) => void;

/** One request and its answer. */
export interface Exchanged {
  readonly path: string;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly tookMs: number;
}

/** Receives every request when its answer has come, or none has. */
export type OnExchanged = (exchanged: Exchanged) => void;

const OUTCOMES: readonly Outcome[] = [
  'duplicate',
  'expired_token',
  'suspicious',
  'no_impression',
  'invalid_token',
  'request_mismatch',
];

/**
 * A phone's HTTP client. It gives up after a time and then drops the connection. Connections are kept alive. `onTrouble`
 * receives a description of every request with a 5xx or without an answer.
 */
export class Client {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  readonly #target: URL;
  readonly #onTrouble: OnTrouble;
  readonly #onExchanged: OnExchanged;

  constructor(
    gatewayUrl: string,
    onTrouble: OnTrouble = () => undefined,
    onExchanged: OnExchanged = () => undefined,
  ) {
    this.#target = new URL(gatewayUrl);
    this.#onTrouble = onTrouble;
    this.#onExchanged = onExchanged;
  }

  /** Never rejects. */
  post(path: string, fields: unknown, address: string): Promise<Reply> {
    const body = JSON.stringify(fields);
    const sentAtMs = Date.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => request.destroy(new Error('took too long')), ANSWER_MS_MAX);
      const done = (reply: Reply): void => {
        clearTimeout(timer);
        this.#onExchanged({ path, status: reply?.status ?? null, tookMs: Date.now() - sentAtMs });
        resolve(reply);
      };
      const request = http.request({
        agent: this.#agent,
        host: this.#target.hostname,
        port: this.#target.port,
        path: `/v1${path}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-forwarded-for': address,
        },
      });
      const fail = (error: Error): void => {
        this.#onTrouble(
          `${path} ${error.message}${request.reusedSocket ? ' (on a kept connection)' : ''}`,
          sentAtMs,
        );
        done(null);
      };
      request.on('error', fail);
      request.on('response', (response) => {
        collect(response).then((text) => {
          const status = response.statusCode ?? 0;
          if (status >= 500) this.#onTrouble(`${path} ${status} ${text}`, sentAtMs);
          done(toReply(response, text));
        }, fail);
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function collect(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function toReply(response: http.IncomingMessage, text: string): Reply {
  const retryAfterMs = Number(response.headers['retry-after'] ?? 1) * SECOND_MS;
  try {
    return { status: response.statusCode ?? 0, retryAfterMs, body: JSON.parse(text) as AnswerBody };
  } catch {
    return null;
  }
}

/** The outcome in an answer to an event; null for 429, since the event was not judged. */
export function outcomeOf(reply: Reply): Outcome | null {
  if (reply === null || reply.status >= 500 || reply.status === 408) return 'unknown';
  if (reply.status === 429) return null;
  if (reply.status === 200 && reply.body.status === 'accepted') return 'accepted';
  const outcome = OUTCOMES.find((known) => known === reply.body.reason);
  if (outcome === undefined)
    throw new Error(`an event was answered ${reply.status} ${JSON.stringify(reply.body)}`);
  return outcome;
}
