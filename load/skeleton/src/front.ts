import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { announce, setting } from './announce.js';
import { openScript, openStep } from './step.js';

/** The counter groups stand for a network, a session and an app. */
const GROUPS = ['network', 'session', 'app'] as const;
const KEYS_MAX = 1_000;

const { redis } = openScript(setting('REDIS_URL'));
const next = openStep(setting('MIDDLE_ADDRESS'));
const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.post('/v1/plain', (_request: Request, response: Response) => {
  response.json({ status: 'ok' });
});

app.use(express.json());
let requests = 0;

app.post('/v1/ads/request', async (request: Request, response: Response) => {
  requests += 1;
  const key = String(requests % KEYS_MAX);
  await Promise.all(GROUPS.map((group) => redis.incr(`{skeleton}:${group}:${key}`)));
  const { session_token: session = '' } = request.body as { readonly session_token?: string };
  const { token } = await next({ key, session });
  response.json(answer(key, token));
});

/** An answer with the fields and the size of an answer to an ad request. */
function answer(key: string, token: string): unknown {
  return {
    status: 'fill',
    request_id: `req_${key.padStart(32, '0')}`,
    ad: {
      id: `ad_${key.padStart(32, '0')}`,
      campaign_id: 'cmp_skeleton_0000',
      creative_id: 'cr_skeleton_0000_banner',
      format: 'banner',
      creative_type: 'image',
      creative_url: 'https://cdn.example.com/cr_skeleton_0000_banner.png',
      click_url: 'https://shop.example.com/cr_skeleton_0000_banner',
      width: 320,
      height: 50,
      duration_seconds: null,
      impression_token: token,
      expires_at: '2026-01-01T00:30:00.000Z',
      test: false,
    },
  };
}

const server = app.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
