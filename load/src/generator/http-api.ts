import http from 'node:http';
import { gunzip } from 'node:zlib';
import { ANSWER_MS_MAX, type Api, type Code, type Written } from './api.js';

/** Connections to the gateway. */
export interface HttpOptions {
  /** `host:port`. */
  readonly address: string;
  /** Most connections; infinite: as many as pending calls. */
  readonly connections: number;
  /** Whether answers may be compressed. */
  readonly acceptsGzip: boolean;
}

/** An answer; status 0 when none came. */
export interface Answer {
  readonly status: number;
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

/** The SDK API over kept-alive connections, like phones behind one proxy. */
export function openHttpApi(options: HttpOptions): Api {
  const post = openPost(options);
  return {
    async initialize(phone, written) {
      const { app, address } = phone;
      const fields = {
        app_key: app.app_key,
        package_name: app.package_name,
        sdk_version: '2.4.0',
        app_version: '1.0.7',
        platform: 'android',
        os_version: phone.androidVersion,
      };
      const answer = await post('/v1/sdk/initialize', address, fields, written);
      return answer.status === 200
        ? { code: 'started', token: answer.body.session_token ?? '' }
        : { code: codeOf(answer), token: '' };
    },
    async request(phone, placement, written) {
      const fields = {
        app_key: phone.app.app_key,
        placement: placement.code,
        format: placement.format,
        session_token: phone.token,
        language: phone.language,
        android_version: phone.androidVersion,
        app_version: '1.0.7',
        sdk_version: '2.4.0',
        screen_width: phone.screen[0],
        screen_height: phone.screen[1],
      };
      const answer = await post('/v1/ads/request', phone.address, fields, written);
      const { request_id: requestId, ad } = answer.body;
      const isFill = answer.status === 200 && ad !== undefined && requestId !== undefined;
      return { code: codeOf(answer), fill: isFill ? { requestId, token: ad.impression_token } : null };
    },
    async event(kind, { phone, requestId, token }, written) {
      const rest = kind === 'reward' ? { completion: true } : {};
      const fields = { request_id: requestId, impression_token: token, ...rest };
      return codeOf(await post(`/v1/events/${kind}`, phone.address, fields, written));
    },
    async fallback(phone, placement, written) {
      const fields = { session_token: phone.token, placement: placement.code, reason: 'no_fill' };
      return codeOf(await post('/v1/events/fallback', phone.address, fields, written));
    },
    close: post.close,
  };
}

function codeOf({ status, body }: Answer): Code {
  if (status === 200)
    return body.status === 'no_fill' ? `no_fill ${body.reason ?? ''}` : (body.status ?? '200');
  if (status === 0) return body.reason ?? 'broken';
  return body.status === 'rejected'
    ? (body.reason ?? 'rejected')
    : `${status} ${body.error?.code ?? ''}`.trim();
}

/** Sends JSON from a client address; `written` is called when the operating system has all of it. */
export type Post = ((
  path: string,
  address: string,
  fields: unknown,
  written?: Written,
) => Promise<Answer>) & {
  readonly close: () => void;
};

/** Opens the connections; without an answer, the result has status 0 and the reason in its body. */
export function openPost({ address, connections, acceptsGzip }: HttpOptions): Post {
  const agent = new http.Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: connections,
    scheduling: 'fifo',
  });
  const { hostname: host, port } = new URL(`http://${address}`);
  const post = (path: string, from: string, fields: unknown, written?: Written): Promise<Answer> =>
    new Promise((resolve) => {
      const body = JSON.stringify(fields);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-forwarded-for': from,
        ...(acceptsGzip ? { 'accept-encoding': 'gzip' } : {}),
      };
      const outgoing = http.request({
        agent,
        host,
        port,
        path,
        method: 'POST',
        headers,
        timeout: ANSWER_MS_MAX,
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ status: 0, body: { reason: error.code ?? error.message } }),
      );
      if (written !== undefined) outgoing.once('finish', written);
      outgoing.on('response', (incoming) => collect(incoming, resolve));
      outgoing.end(body);
    });
  return Object.assign(post, { close: () => agent.destroy() });
}

function collect(incoming: http.IncomingMessage, done: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('error', () => done({ status: 0, body: { reason: 'broken' } }));
  incoming.on('end', () => {
    const bytes = Buffer.concat(chunks);
    const status = incoming.statusCode ?? 0;
    if (incoming.headers['content-encoding'] === undefined) done({ status, body: parse(bytes.toString()) });
    else gunzip(bytes, (error, text) => done({ status, body: parse(error === null ? text.toString() : '') }));
  });
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return { reason: 'not JSON' };
  }
}
