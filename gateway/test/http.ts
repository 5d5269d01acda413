import { expect } from 'chai';
import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expectDocumented } from './documented.js';

/** An HTTP answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Null when the text is not JSON. */
  readonly json: unknown;
}

/** An HTTP request of a test. */
export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent unchanged. Several parts are sent in chunks. */
  readonly body?: string | Buffer | readonly (string | Buffer)[] | undefined;
  readonly agent?: Agent | undefined;
}

/** The paths of the six endpoints with a valid body each. */
export const VALID_BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/v1/sdk/initialize': { app_key: 'app_0123456789abcdefghijABCD', package_name: 'com.sunrise.puzzle' },
  '/v1/ads/request': {
    app_key: 'app_0123456789abcdefghijABCD',
    placement: 'home_banner',
    format: 'banner',
    session_token: 'a.session.token',
  },
  '/v1/events/impression': { request_id: 'req_1', impression_token: 'token' },
  '/v1/events/click': { request_id: 'req_1', impression_token: 'token' },
  '/v1/events/reward': { request_id: 'req_1', impression_token: 'token', completion: true },
  '/v1/events/fallback': { session_token: 'a.session.token', placement: 'home_banner', reason: 'no_fill' },
};

/** Sends a request and reads the whole answer. */
export function send(url: string, wanted: HttpRequest): Promise<HttpAnswer> {
  const { hostname, port } = new URL(url);
  const { method = 'GET', path, headers = {}, body, agent } = wanted;
  const parts = body === undefined ? [] : [body].flat();
  return new Promise((resolve, reject) => {
    const isChunked = Array.isArray(body);
    const length =
      !isChunked && parts[0] !== undefined ? { 'Content-Length': Buffer.byteLength(parts[0]) } : {};
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { ...length, ...headers },
        agent,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = decompress(Buffer.concat(chunks), incoming.headers['content-encoding']).toString(
            'utf8',
          );
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    if (!isChunked) {
      outgoing.end(parts[0]);
      return;
    }
    for (const part of parts) outgoing.write(part);
    outgoing.end();
  });
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Posts to an endpoint of the SDK API and checks the general rules of every answer: no-store, JSON, and a body that
 * matches the OpenAPI document. A body that is an object is sent as JSON.
 */
export async function post(
  url: string,
  path: string,
  body?: object | string | Buffer,
  headers: OutgoingHttpHeaders = {},
): Promise<HttpAnswer> {
  const isObject = typeof body === 'object' && !Buffer.isBuffer(body);
  const answer = await send(url, {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: isObject ? JSON.stringify(body) : body,
  });
  expectSdkAnswer(answer);
  expectDocumented(path, answer);
  return answer;
}

/** Checks the rules of every answer of the SDK API. */
export function expectSdkAnswer(answer: HttpAnswer): void {
  expect(answer.headers['cache-control']).to.equal('no-store, private');
  expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).to.match(/^req_[0-9a-f]{32}$/);
  expect(answer.headers).not.to.have.any.keys('x-powered-by', 'server', 'set-cookie', 'etag');
  expect(answer.status).not.to.equal(500);
}

/** Expects 422 (or another status) `validation_failed` with exactly these fields. */
export function expectInvalid(answer: HttpAnswer, fields: readonly string[], status = 422): void {
  expect(answer.status, answer.text).to.equal(status);
  const { error } = answer.json as { error: { code: string; fields: Record<string, string[]> } };
  expect(error.code).to.equal('validation_failed');
  expect(Object.keys(error.fields).sort()).to.deep.equal([...fields].sort());
  for (const messages of Object.values(error.fields)) expect(messages).to.have.length.greaterThan(0);
}

/** Expects an error envelope with this status and code. */
export function expectError(answer: HttpAnswer, status: number, code: string): void {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.json).to.have.nested.property('error.code', code);
}

/** Expects problem details with this status and code. Contract: docs/management-api.md. */
export function expectProblem(answer: HttpAnswer, status: number, code: string): void {
  const { headers, json, text } = answer;
  expect(answer.status, text).to.equal(status);
  expect(headers['content-type']).to.match(/^application\/problem\+json/);
  expect(headers['cache-control']).to.equal('no-store, private');
  expect(json).to.include({ type: 'about:blank', status, code, request_id: headers['x-request-id'] });
  for (const member of ['title', 'detail'])
    expect(json).to.have.property(member).that.is.a('string').and.not.equal('');
}

/** The valid body of an endpoint, with some fields replaced. */
export function validBody(path: string, more: object = {}): Record<string, unknown> {
  return { ...VALID_BODIES[path], ...more };
}
