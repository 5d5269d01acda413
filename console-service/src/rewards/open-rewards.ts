import { messageOf, type Scope, type StoreAddress } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import {
  makePostCallback,
  makePostSigned,
  spareSilentHosts,
  type PostCallbackOptions,
} from '@placard/service-kit/callbacks';
import type { Pool } from '@placard/service-kit/postgres';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@placard/service-kit/pure';
import { openQueue, openWorker, watchQueue } from '@placard/service-kit/queue';
import { makePgReportObjects } from '../reports/store/report-objects.pg.js';
import type { SigningKeys } from '../webhooks/usecase/signing-keys.js';
import type { AcceptedRewards } from './clients/accepted-rewards.js';
import { makeRewardMetrics } from './metrics.js';
import type { Attempt } from './domain/reward-callback.js';
import { makePgCallbackStore } from './store/callbacks.pg.js';
import type { CallbackStore, DueAttempt } from './store/callbacks.js';
import { makeCollectRewards } from './usecase/collect-rewards.js';
import { makeRewardLog, type RewardLog } from './usecase/reward-log.js';
import { makeSendReward } from './usecase/send-reward.js';

/** The queue of callbacks. Its jobs name an attempt; the callback is in Postgres. */
export const REWARD_QUEUE = { name: 'rewards', prefix: '{bull-console}' } as const;

/** An attempt mostly waits for its receiver. */
const CONCURRENCY = 64;
/** Longest time from the acceptance of a reward to its first attempt, when nothing else waits. */
const COLLECT_MS = SECOND_MS;
const COUNT_MS = 10 * SECOND_MS;
/** Attempts that one statement reads for the queue. */
const SWEPT_MAX = 1_000;
/** Callbacks are kept for this long, so that an operator can look back and replay. */
const KEPT_MS = 30 * DAY_MS;

/** What the callbacks are opened with. */
export interface RewardsOptions {
  readonly pool: Pool;
  readonly redis: StoreAddress;
  /** Who may be called, and how its certificate is judged. */
  readonly callbacks: PostCallbackOptions;
  readonly signingKeys: Pick<SigningKeys, 'current'>;
  readonly accepted: AcceptedRewards;
}

/** Opens the callbacks of rewards: collects accepted rewards and sends them until the scope closes. */
export function openRewards(
  scope: Scope,
  { pool, redis, callbacks, signingKeys, accepted }: RewardsOptions,
): RewardLog {
  const { clock } = scope;
  const store = makePgCallbackStore(pool);
  const metrics = makeRewardMetrics(scope.metrics);
  const begin = openJobs(scope, redis, store);
  const sendReward = makeSendReward({
    callbacks: store,
    postSigned: makePostSigned({
      signingKey: () => signingKeys.current(),
      post: spareSilentHosts(makePostCallback(callbacks), clock),
      now: () => clock.now(),
    }),
    clock,
  });
  openWorker<Attempt>(scope, { ...REWARD_QUEUE, ...redis, concurrency: CONCURRENCY }, async ({ data }) => {
    const end = await sendReward(data);
    metrics.attempt(end.result);
    if (end.result === 'failed') begin([end.next]);
  });
  keepRunning(scope, {
    name: 'collecting accepted rewards',
    intervalMs: COLLECT_MS,
    isRunAtStart: true,
    run: makeCollectRewards({
      accepted,
      callbacks: store,
      clock,
      onStored: begin,
      isStopping: () => scope.stopping.aborted,
    }),
  });
  keepRunning(scope, {
    name: 'counting reward callbacks',
    intervalMs: COUNT_MS,
    isRunAtStart: true,
    run: async () => metrics.waiting(await store.waiting(), clock.now()),
  });
  keepRunning(scope, {
    name: 'deleting old reward callbacks',
    intervalMs: HOUR_MS,
    run: () => store.prune(clock.now() - KEPT_MS),
  });
  return makeRewardLog({
    callbacks: store,
    objects: makePgReportObjects(pool),
    clock,
    onReplay: (attempt) => begin([attempt]),
  });
}

/** Begins to make attempts. It never fails: what the queue does not take now is found by a sweep a moment later. */
type Begin = (attempts: readonly DueAttempt[]) => void;

/**
 * Opens the queue and keeps in it what is due. A sweep adds the attempts of the coming minute that have no job, as after a loss of
 * Redis: each minute, and each second after the queue did not take something.
 */
function openJobs(scope: Scope, redis: StoreAddress, store: Pick<CallbackStore, 'listDue'>): Begin {
  const { clock } = scope;
  const queue = openQueue<Attempt>(scope, { ...REWARD_QUEUE, ...redis });
  watchQueue(scope, queue);
  let nextSweepAtMs = 0;
  const sweep = async (): Promise<void> => {
    const nowMs = clock.now();
    if (nowMs < nextSweepAtMs) return;
    nextSweepAtMs = nowMs + MINUTE_MS;
    try {
      for (let last: DueAttempt | null = null; ;) {
        const due: readonly DueAttempt[] = await store.listDue(nowMs + MINUTE_MS, last, SWEPT_MAX);
        await queue.addBulk(due.map((attempt) => toJob(attempt, nowMs)));
        last = due.at(-1) ?? null;
        if (due.length < SWEPT_MAX || scope.stopping.aborted) return;
      }
    } catch (error) {
      nextSweepAtMs = 0;
      throw error;
    }
  };
  keepRunning(scope, {
    name: 'adding reward callbacks to the queue',
    intervalMs: SECOND_MS,
    isRunAtStart: true,
    run: sweep,
  });
  return (attempts) => {
    queue.addBulk(attempts.map((attempt) => toJob(attempt, clock.now()))).catch((error: unknown) => {
      nextSweepAtMs = 0;
      scope.log.debug({ reason: messageOf(error) }, 'the sweep will add the attempts to the queue');
    });
  };
}

/** A job for an attempt. An attempt that has a job gets no second one, because the id is the same. */
function toJob({ nextAtMs, ...attempt }: DueAttempt, nowMs: number) {
  return {
    name: 'send',
    data: attempt,
    opts: {
      jobId: `${attempt.requestId}-${attempt.round}-${attempt.attempts}`,
      delay: Math.max(0, nextAtMs - nowMs),
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}
