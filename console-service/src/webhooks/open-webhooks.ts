import { AppError, type Scope, type StoreAddress } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import {
  findCallbackTarget,
  makePostCallback,
  makePostSigned,
  makeSigningKey,
  publicJwkOf,
  spareSilentHosts,
  type PostCallbackOptions,
} from '@placard/service-kit/callbacks';
import type { Pool } from '@placard/service-kit/postgres';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@placard/service-kit/pure';
import { openQueue, openWorker, watchQueue } from '@placard/service-kit/queue';
import { randomUUID } from 'node:crypto';
import { Counter } from 'prom-client';
import { ATTEMPTS_MAX, FIRST_PAUSE_MS, WEBHOOKS_MAX } from './domain/webhook.js';
import { makePgNoticeStore, makePgWebhookStore } from './store/webhooks.pg.js';
import type { NoticePlace, NoticeStore } from './store/webhooks.js';
import { makeWebhooks, type Webhooks } from './usecase/keep-webhooks.js';
import { makeSendNotice } from './usecase/send-notice.js';
import { makeSigningKeys, type SigningKeys } from './usecase/signing-keys.js';

/** The queue of notices. Its jobs hold the id of a notice; the notice is in Postgres. */
export const NOTICE_QUEUE = { name: 'notices', prefix: '{bull-console}' } as const;

/** More than there are webhooks, because a silent one takes a slot at times. */
const CONCURRENCY = WEBHOOKS_MAX + 4;
/** Notices that one statement reads for the queue. */
const SWEPT_MAX = 1_000;
/** Notices are kept for this long, so that an operator can look back. */
const KEPT_MS = 30 * DAY_MS;

/** A job of the queue. */
interface NoticeJob {
  readonly noticeId: string;
}

/** What the webhooks are opened with. */
export interface WebhooksOptions {
  readonly pool: Pool;
  readonly redis: StoreAddress;
  /** Who may be called, and how its certificate is judged. */
  readonly callbacks: PostCallbackOptions;
}

/** The webhooks of an installation. */
export interface OpenWebhooks {
  readonly webhooks: Webhooks;
  readonly signingKeys: SigningKeys;
  /** Begins to send new notices. It never fails: what the queue does not take now is found by the next sweep. */
  readonly sendNew: () => void;
}

/** Opens the webhooks and sends notices until the scope closes. */
export function openWebhooks(scope: Scope, { pool, redis, callbacks }: WebhooksOptions): OpenWebhooks {
  const { clock } = scope;
  const notices = makePgNoticeStore(pool);
  const signingKeys = makeSigningKeys({
    notices,
    makeKey: () => makeSigningKey(makeId('key')),
    publicJwkOf,
    clock,
  });
  const sendNotice = makeSendNotice({
    notices,
    postSigned: makePostSigned({
      signingKey: () => signingKeys.current(),
      post: spareSilentHosts(makePostCallback(callbacks), clock),
      now: () => clock.now(),
    }),
    clock,
  });
  const attempts = new Counter({
    name: 'placard_webhook_attempts_total',
    help: 'Attempts to send a notice to a webhook, by how they ended',
    labelNames: ['result'] as const,
    registers: [scope.metrics],
  });
  openWorker<NoticeJob>(scope, { ...NOTICE_QUEUE, ...redis, concurrency: CONCURRENCY }, async ({ data }) => {
    try {
      attempts.inc({ result: await sendNotice(data.noticeId) });
    } catch (error) {
      if (error instanceof AppError) attempts.inc({ result: 'failed' });
      throw error;
    }
  });
  const sweeping = keepRunning(scope, {
    name: 'adding notices to the queue',
    intervalMs: MINUTE_MS,
    isRunAtStart: true,
    run: openSweep(scope, redis, notices),
  });
  keepRunning(scope, {
    name: 'deleting old notices',
    intervalMs: HOUR_MS,
    run: () => notices.prune(clock.now() - KEPT_MS),
  });
  const webhooks = makeWebhooks({
    webhooks: makePgWebhookStore(pool),
    findTarget: (url) => findCallbackTarget(url, callbacks.resolve, callbacks.isAddressAllowed),
    makeId: () => makeId('whk'),
    clock,
  });
  return { webhooks, signingKeys, sendNew: () => sweeping.runNow() };
}

/** Adds a job for each notice that waits. A notice that has a job gets no second one. */
function openSweep(
  scope: Scope,
  redis: StoreAddress,
  notices: Pick<NoticeStore, 'readWaiting'>,
): () => Promise<void> {
  const queue = openQueue<NoticeJob>(scope, { ...NOTICE_QUEUE, ...redis });
  watchQueue(scope, queue);
  return async () => {
    for (let last: NoticePlace | null = null; ;) {
      const waiting: readonly NoticePlace[] = await notices.readWaiting(last, SWEPT_MAX);
      await queue.addBulk(waiting.map(({ id }) => toJob(id)));
      last = waiting.at(-1) ?? null;
      if (waiting.length < SWEPT_MAX || scope.stopping.aborted) return;
    }
  };
}

function toJob(noticeId: string) {
  return {
    name: 'send',
    data: { noticeId },
    opts: {
      jobId: noticeId,
      attempts: ATTEMPTS_MAX,
      backoff: { type: 'exponential', delay: FIRST_PAUSE_MS },
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

function makeId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}
