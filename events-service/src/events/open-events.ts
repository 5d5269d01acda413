import { AD_REQUEST_ID, messageOf, redisOf, servingAll, type Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import type { OpenCatalog } from '@placard/service-kit/catalog-reader';
import type { Pool } from '@placard/service-kit/postgres';
import { keepKeyRings, makeImpressionTokens, makeSessionTokens } from '@placard/service-kit/tokens';
import { SECOND_MS, dayOf, minuteOf } from '@placard/service-kit/pure';
import { addJob, openQueue, type JobTrace } from '@placard/service-kit/queue';
import type { LeaseKey } from '../budgets/domain/lease.js';
import type { LeaseStore } from '../budgets/store/leases.js';
import type { ServiceConfig } from '../config.js';
import type { ServiceMetrics } from '../metrics.js';
import { openCountStore } from '../reports/store/counts.pg.js';
import type { CountStore } from '../reports/store/counts.js';
import { SETTLEMENT_QUEUE, SETTLE_JOB } from '../settlement-queue.js';
import { makeSettlementTrigger } from '../settlement/usecase/settlement-trigger.js';
import { openPartitionStore } from '../store/partitions.pg.js';
import { EVENT_MS_MAX, type PostgresBreakers } from '../store/postgres-breakers.js';
import type { FraudClient } from './clients/fraud.js';
import { openServingClient } from './clients/serving.grpc.js';
import type { FillOutcome } from './clients/serving.js';
import type { Fallback } from './domain/fallback.js';
import type { ReportedEvent } from './domain/event.js';
import type { Rejection } from './domain/judge.js';
import { openOutboxes } from './open-outboxes.js';
import type { EventsUseCases } from './rpc/events.js';
import { openEventStore } from './store/events.pg.js';
import type { EventStore } from './store/events.js';
import { makeRejectionCounter, type RejectionCounter } from './usecase/count-rejections.js';
import { makeGroups } from './usecase/groups.js';
import { makeJudgeGroup, type PendingEvent } from './usecase/judge-group.js';
import { makeRecordEvent, type EventCall } from './usecase/record-event.js';
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
export function openRejectionCounter(
  scope: Scope,
  { counts, metrics }: { readonly counts: CountStore; readonly metrics: ServiceMetrics },
): RejectionCounter {
  const counter = makeRejectionCounter({
    store: counts,
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
  readonly postgres: PostgresBreakers;
  readonly leases: LeaseStore;
  readonly metrics: ServiceMetrics;
  readonly rejections: RejectionCounter;
  readonly catalog: OpenCatalog;
  readonly fraud: FraudClient;
}

/** Opens the use cases of events and fallbacks. Background work runs until the scope closes. */
export function openEvents(deps: EventsDeps): EventsUseCases {
  const { scope, config, pool, postgres, leases, metrics, rejections, fraud } = deps;
  const { clock } = scope;
  const partitions = openPartitionStore(pool);
  const store = guardedEvents(openEventStore(pool, partitions), postgres);
  const today = dayOf(clock.now());
  partitions.ensure([today, today + 1]).catch((error: unknown) => {
    scope.log.warn(
      { reason: messageOf(error) },
      'partitions could not be made ahead; the first event makes its own',
    );
  });
  const serving = openServingClient(scope, config.SERVING_SERVICE_ADDRESS);
  const outboxes = openOutboxes(scope, { serving, fraud, leases, onDropped: metrics.dropped });
  const queue = openQueue<JobTrace>(scope, { ...SETTLEMENT_QUEUE, ...redisOf(config) });
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
    isStoreInTime: () => postgres.reads.admits && postgres.commits.admits,
    work: (group) => {
      metrics.groupSize(group.length);
      const { tracing } = scope;
      if (tracing === null) return judgeGroup(group);
      const served = group.map(({ event, traceparent }) => ({ traceparent, adRequestId: event.requestId }));
      return servingAll(tracing, served, 'judge events', () => judgeGroup(group));
    },
  });
  keepKeyRings(scope, { session: config.SESSION_TOKEN_KEYS, impression: config.IMPRESSION_TOKEN_KEYS });
  metrics.waiting('event', () => groups.waitingCount);
  const logVerdict = verdictLogger(scope);
  const recordEvent = makeRecordEvent({
    tokens: makeImpressionTokens(config.IMPRESSION_TOKEN_KEYS),
    clock,
    eventWindowMs: config.EVENT_WINDOW_SECONDS * SECOND_MS,
    groups,
    onRead: ({ requestId, traceparent }) => scope.tracing?.note({ [AD_REQUEST_ID]: requestId }, traceparent),
    onAccepted: (event, call) => {
      metrics.accepted(event.type);
      logVerdict(event, 'accepted', call);
    },
    onRejected: (event, { reason, rule }, call) => {
      const { type, claims, arrivedAtMs } = event;
      logVerdict(event, reason, call);
      metrics.rejected(type, reason);
      rejections.add(reason, claims, arrivedAtMs);
      if (claims !== null) outboxes.suspicious.push({ rule, event: type, claims, atMs: arrivedAtMs });
    },
  });
  return { recordEvent, recordFallback: openFallbacks(deps) };
}

/** At the level `debug` the log has a line for each event, which joins its request with the request of its ad. */
function verdictLogger(scope: Scope): (event: ReportedEvent, verdict: string, call: EventCall) => void {
  if (!scope.log.isLevelEnabled('debug')) return () => undefined;
  return ({ type, claims }, verdict, { requestId }) =>
    scope.log.debug({ requestId, adRequestId: claims?.requestId, event: type, verdict }, 'event judged');
}

function guardedEvents(store: EventStore, { reads, commits }: PostgresBreakers): EventStore {
  return {
    history: (keys) => reads.run(EVENT_MS_MAX, () => store.history(keys)),
    insert: (rows) => commits.run(EVENT_MS_MAX, () => store.insert(rows)),
  };
}

function toReleasedLease({ claims, verdict }: FillOutcome): LeaseKey[] {
  if (verdict !== 'suspicious' || claims.isTest) return [];
  return [{ campaignId: claims.campaignId, minute: minuteOf(claims.filledAtMs), run: claims.leaseRun }];
}

function openFallbacks({ scope, config, pool, postgres, metrics, catalog }: EventsDeps): RecordFallback {
  const counts = postgres.commits.guard(EVENT_MS_MAX, openCountStore(pool));
  const groups = makeGroups<Fallback, 'counted'>({
    ...GROUPS,
    isStoreInTime: () => postgres.commits.admits,
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
