import { messageOf, servingAll, type Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import type { OpenCatalog } from '@placard/service-kit/catalog-reader';
import type { Pool } from '@placard/service-kit/postgres';
import { keepKeyRings, makeImpressionTokens, makeSessionTokens } from '@placard/service-kit/tokens';
import { SECOND_MS, dayOf, minuteOf } from '@placard/service-kit/pure';
import { addJob, openQueue, type JobTrace } from '@placard/service-kit/queue';
import type { LeaseKey } from '../budgets/domain/lease.js';
import { openLeaseStore } from '../budgets/store/leases.pg.js';
import type { ServiceConfig } from '../config.js';
import type { ServiceMetrics } from '../metrics.js';
import { openCountStore } from '../reports/store/counts.pg.js';
import { SETTLEMENT_QUEUE, SETTLE_JOB } from '../settlement-queue.js';
import { makeSettlementTrigger } from '../settlement/usecase/settlement-trigger.js';
import { openPartitionStore } from '../store/partitions.pg.js';
import { openFraudClient } from './clients/fraud.grpc.js';
import { openServingClient } from './clients/serving.grpc.js';
import type { FillOutcome } from './clients/serving.js';
import type { Fallback } from './domain/fallback.js';
import type { Rejection } from './domain/judge.js';
import { openOutboxes } from './open-outboxes.js';
import type { EventsUseCases } from './rpc/events.js';
import { openEventStore } from './store/events.pg.js';
import { makeRejectionCounter, type RejectionCounter } from './usecase/count-rejections.js';
import { makeGroups } from './usecase/groups.js';
import { makeJudgeGroup, type PendingEvent } from './usecase/judge-group.js';
import { makeRecordEvent } from './usecase/record-event.js';
import { makeRecordFallback, type RecordFallback } from './usecase/record-fallback.js';

/**
 * One group at a time: events that arrive meanwhile form the next group, and a group costs hardly more than a single event.
 * With 16 events in flight, a rest of 4 ms saves a quarter of the work of Postgres for an event.
 */
const GROUPS = { itemsMax: 500, groupsMax: 1, restMs: 4, waitingMax: 10_000 } as const;
const FLUSH_MS = SECOND_MS;
/** Under load the worker settles the events of a second together. A run for a few rows costs as much as for hundreds. */
const TRIGGER_GAP_MS = SECOND_MS;
const REPORTER_BYTES = 12;

/** Opens the counter of rejected events; it is flushed each second and when the scope closes. */
export function openRejectionCounter(scope: Scope, pool: Pool, metrics: ServiceMetrics): RejectionCounter {
  const counter = makeRejectionCounter({
    store: openCountStore(pool),
    reporterId: Buffer.from(scope.random.bytes(REPORTER_BYTES)).toString('hex'),
    onDropped: () => metrics.dropped('reports', 1),
  });
  keepRunning(scope, {
    name: 'storing rejection counts',
    intervalMs: FLUSH_MS,
    run: () => counter.flush(),
    isRunAtEnd: true,
  });
  return counter;
}

/** What {@link openEvents} needs. */
export interface EventsDeps {
  readonly scope: Scope;
  readonly config: ServiceConfig;
  readonly pool: Pool;
  readonly metrics: ServiceMetrics;
  readonly rejections: RejectionCounter;
  readonly catalog: OpenCatalog;
}

/** Opens the use cases of events and fallbacks. Background work runs until the scope closes. */
export function openEvents(deps: EventsDeps): EventsUseCases {
  const { scope, config, pool, metrics, rejections } = deps;
  const { clock } = scope;
  const partitions = openPartitionStore(pool);
  const store = openEventStore(pool, partitions);
  const today = dayOf(clock.now());
  partitions.ensure([today, today + 1]).catch((error: unknown) => {
    scope.log.warn(
      { reason: messageOf(error) },
      'partitions could not be made ahead; the first event makes its own',
    );
  });
  const fraud = openFraudClient(scope, config.FRAUD_SERVICE_ADDRESS);
  const serving = openServingClient(scope, config.SERVING_SERVICE_ADDRESS);
  const outboxes = openOutboxes(scope, {
    serving,
    fraud,
    leases: openLeaseStore(pool),
    onDropped: metrics.dropped,
  });
  const queue = openQueue<JobTrace>(scope, { ...SETTLEMENT_QUEUE, url: config.REDIS_URL });
  const settlement = makeSettlementTrigger({
    send: () => addJob(scope, queue, SETTLE_JOB),
    gapMs: TRIGGER_GAP_MS,
    timers: scope.timers,
    onFailure: metrics.triggerFailed,
  });
  const judgeGroup = makeJudgeGroup({
    store,
    fraud,
    clock,
    onJudged: (outcomes) => {
      outboxes.outcomes.push(...outcomes);
      outboxes.releases.push(...outcomes.flatMap(toReleasedLease));
    },
    onWaiting: () => settlement.trigger(),
  });
  const groups = makeGroups<PendingEvent, 'accepted' | Rejection>({
    ...GROUPS,
    work: (group) => {
      metrics.groupSize(group.length);
      const traceparents = group.map(({ traceparent }) => traceparent);
      return servingAll(scope.tracing, traceparents, 'judge events', () => judgeGroup(group));
    },
  });
  keepKeyRings(scope, { session: config.SESSION_TOKEN_KEYS, impression: config.IMPRESSION_TOKEN_KEYS });
  metrics.waiting('event', () => groups.waitingCount);
  const recordEvent = makeRecordEvent({
    tokens: makeImpressionTokens(config.IMPRESSION_TOKEN_KEYS),
    clock,
    eventWindowMs: config.EVENT_WINDOW_SECONDS * SECOND_MS,
    groups,
    onAccepted: (event) => metrics.accepted(event.type),
    onRejected: ({ type, claims, arrivedAtMs }, { reason, rule }) => {
      metrics.rejected(type, reason);
      rejections.add(reason, claims, arrivedAtMs);
      if (claims !== null) outboxes.suspicious.push({ rule, event: type, claims, atMs: arrivedAtMs });
    },
  });
  return { recordEvent, recordFallback: openFallbacks(deps) };
}

function toReleasedLease({ claims, verdict }: FillOutcome): LeaseKey[] {
  if (verdict !== 'suspicious' || claims.isTest) return [];
  return [{ campaignId: claims.campaignId, minute: minuteOf(claims.filledAtMs), run: claims.leaseRun }];
}

function openFallbacks({ scope, config, pool, metrics, catalog }: EventsDeps): RecordFallback {
  const counts = openCountStore(pool);
  const groups = makeGroups<Fallback, 'counted'>({
    ...GROUPS,
    work: async (fallbacks) => {
      await counts.addFallbacks(fallbacks);
      return fallbacks.map(() => 'counted' as const);
    },
  });
  metrics.waiting('fallback', () => groups.waitingCount);
  return makeRecordFallback({
    tokens: makeSessionTokens(config.SESSION_TOKEN_KEYS),
    catalog,
    clock: scope.clock,
    groups,
    onCounted: metrics.fallback,
  });
}
