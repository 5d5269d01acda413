import { openQueue } from '@placard/service-kit/queue';
import { makeTestScope, until, type TestScope } from '@placard/service-kit/testing';
import { makeTestAuthority } from '@placard/service-kit/testing/certificates';
import { openTestDatabase, openTestRedis, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { base64url, compactVerify, createLocalJWKSet } from 'jose';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NO_FIGURES, type Concern } from '../../src/health/domain/concern.js';
import { compareConcerns } from '../../src/health/domain/concern-changes.js';
import { eventsOf } from '../../src/health/domain/concern-event.js';
import { makePgConcernStore } from '../../src/health/store/concerns.pg.js';
import { ATTEMPTS_MAX } from '../../src/webhooks/domain/webhook.js';
import { NOTICE_QUEUE, openWebhooks, type OpenWebhooks } from '../../src/webhooks/open-webhooks.js';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const HOST = 'hooks.example.com';
const LOST_HOST = 'lost.example.com';
const ACTOR = 'key_0123456789abcdef (ops)';
const LOW_BALANCE: Concern = {
  kind: 'low_balance',
  subjectKind: 'advertiser',
  subjectId: 'adv_northwind',
  reason: null,
  figures: { ...NO_FIGURES, leftNanos: 5_000_000_000n, daysLeft: 1.5 },
};

interface Received {
  readonly signature: string;
  readonly body: string;
}

describe('webhooks', () => {
  let db: TestDatabase;
  let scope: TestScope;
  let server: Server;
  let opened: OpenWebhooks;
  let redisUrl: string;
  let url: string;
  let status = 204;
  const received: Received[] = [];
  let lookUpsOfLost = 0;

  before(async () => {
    const authority = await makeTestAuthority();
    server = createServer(await authority.issue({ names: [HOST] }), (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        received.push({ signature: String(request.headers['placard-signature']), body });
        response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://${HOST}:${String((server.address() as AddressInfo).port)}/placard`;
    db = await openTestDatabase({ migrations: [{ schema: 'catalog', dir: MIGRATIONS }] });
    const { redis, url: address } = await openTestRedis();
    redis.disconnect();
    redisUrl = address;
    scope = makeTestScope({ name: 'console-service' });
    opened = openWebhooks(scope, {
      pool: db.pool,
      redis: { url: redisUrl },
      callbacks: {
        resolve: (host) => {
          if (host === LOST_HOST) lookUpsOfLost += 1;
          return host === LOST_HOST
            ? Promise.reject(new Error('ENOTFOUND'))
            : Promise.resolve([host === HOST ? '127.0.0.1' : '10.0.0.1']);
        },
        isAddressAllowed: (one) => one === '127.0.0.1',
        ca: authority.ca,
      },
    });
  });
  after(async () => {
    await scope.close();
    server.close();
    await db.drop();
  });
  beforeEach(async () => {
    await db.pool.query('DELETE FROM health.webhook');
    await db.pool.query('DELETE FROM health.concern');
    received.length = 0;
    lookUpsOfLost = 0;
    status = 204;
  });

  const found = async (...concerns: readonly Concern[]): Promise<void> => {
    const nowMs = scope.clock.now();
    await makePgConcernStore(db.pool).update(nowMs, (open) => {
      const changes = compareConcerns(open, concerns, nowMs);
      return { changes, events: eventsOf(changes, nowMs) };
    });
    opened.sendNew();
  };
  const noticeOf = async () => {
    const { rows } = await db.pool.query<{
      readonly attempts: number;
      readonly fault: string | null;
      readonly delivered_at: number | null;
      readonly given_up_at: number | null;
    }>('SELECT attempts, fault, delivered_at, given_up_at FROM health.notice');
    return rows[0]!;
  };
  /** A webhook whose host is gone, with older notices than any other. */
  const addLost = async (noticeCount: number): Promise<void> => {
    const madeMs = scope.clock.now() - 60_000;
    await db.pool.query(
      `INSERT INTO health.webhook (id, name, url, created_at) VALUES ('whk_lost', 'lost', $1, now())`,
      [`https://${LOST_HOST}/`],
    );
    await db.pool.query(
      `INSERT INTO health.notice (id, webhook_id, event, made_at)
       SELECT 'ntc_lost' || number, 'whk_lost', '{}', to_timestamp($1::float8 / 1000)
       FROM generate_series(1, $2) AS number`,
      [madeMs, noticeCount],
    );
  };
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => (error as { readonly code?: string }).code,
    );

  it('get a signed notice when a concern begins, and only one', async () => {
    await opened.webhooks.add({ name: 'chat', url }, ACTOR);
    await found(LOW_BALANCE);
    await found(LOW_BALANCE);
    await until(() => received.length > 0);
    const [{ signature, body } = { signature: '', body: '' }] = received;
    const notice = JSON.parse(body) as Record<string, unknown>;
    expect(notice).to.include({ type: 'concern.began' });
    expect(notice['concern']).to.include({
      kind: 'low_balance',
      subject: 'adv_northwind',
      left: '5.000000000',
    });
    const [header = '', , mark = ''] = signature.split('.');
    const keys = [...(await opened.signingKeys.publicParts())];
    const { protectedHeader } = await compactVerify(
      `${header}.${base64url.encode(body)}.${mark}`,
      createLocalJWKSet({ keys }),
    );
    expect(protectedHeader).to.include({ alg: 'EdDSA', jti: notice['id'] });
    await until(async () => (await noticeOf()).delivered_at !== null);
    expect(received).to.have.length(1);
  });

  it('get the same notice again after a pause when they did not accept it', async () => {
    status = 503;
    await opened.webhooks.add({ name: 'chat', url }, ACTOR);
    await found(LOW_BALANCE);
    await until(async () => (await noticeOf()).attempts === 1);
    expect(await noticeOf()).to.include({ fault: 'The answer was 503.', delivered_at: null });
    const queue = openQueue(scope, { ...NOTICE_QUEUE, url: redisUrl });
    await until(() => scope.health.components()['redis']?.ok === true);
    let [job] = await queue.getDelayed();
    await until(async () => ([job] = await queue.getDelayed()).length > 0);
    expect(job?.delay).to.equal(10_000);
    status = 204;
    await job?.promote();
    await until(async () => (await noticeOf()).delivered_at !== null);
    expect(received.map(({ body }) => body)).to.deep.equal([received[0]?.body, received[0]?.body]);
  });

  it('are given up after the last attempt', async () => {
    status = 500;
    await opened.webhooks.add({ name: 'chat', url }, ACTOR);
    await found(LOW_BALANCE);
    await until(async () => (await noticeOf()).attempts === 1);
    await db.pool.query('UPDATE health.notice SET attempts = $1', [ATTEMPTS_MAX - 1]);
    const queue = openQueue(scope, { ...NOTICE_QUEUE, url: redisUrl });
    await until(async () => (await queue.getDelayed().catch(() => [])).length > 0);
    for (const job of await queue.getDelayed()) await job.promote();
    await until(async () => (await noticeOf()).given_up_at !== null);
    expect(await noticeOf()).to.include({ attempts: ATTEMPTS_MAX, delivered_at: null });
  });

  it('are refused in a private network and without https', async () => {
    for (const refused of ['https://intranet.example.com/', 'http://hooks.example.com/']) {
      expect(await opened.webhooks.add({ name: 'x', url: refused }, ACTOR)).to.have.property('reason');
    }
    expect(await opened.webhooks.list()).to.deep.equal([]);
  });

  it('are at most 20, can be removed, and leave both in the audit without the address', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const added = await opened.webhooks.add({ name: `n${n}`, url }, ACTOR);
      if ('id' in added) ids.push(added.id);
    }
    const oneMore = opened.webhooks.add({ name: 'one more', url }, ACTOR);
    expect(await codeOf(oneMore)).to.equal('failed_precondition');
    const [id = ''] = ids;
    await opened.webhooks.remove(id, ACTOR);
    expect(await opened.webhooks.list()).to.have.length(19);
    expect(await codeOf(opened.webhooks.remove(id, ACTOR))).to.equal('not_found');
    const { rows } = await db.pool.query<Record<string, unknown>>(
      'SELECT actor, action, detail FROM audit.access WHERE subject = $1 ORDER BY id',
      [id],
    );
    expect(rows).to.deep.equal([
      { actor: ACTOR, action: 'webhook_created', detail: { name: 'n0' } },
      { actor: ACTOR, action: 'webhook_removed', detail: { name: 'n0' } },
    ]);
  });

  it('that give no answer are not called for each of their notices', async () => {
    await addLost(200);
    opened.sendNew();
    await until(async () => {
      const { rows } = await db.pool.query('SELECT FROM health.notice WHERE attempts = 0');
      return rows.length === 0;
    });
    expect(lookUpsOfLost).to.be.within(1, 100);
  });

  it('get their notices however many wait for another one', async () => {
    await addLost(1_000);
    await opened.webhooks.add({ name: 'chat', url }, ACTOR);
    await found(LOW_BALANCE);
    await until(() => received.length > 0);
  });
});
