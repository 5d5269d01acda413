import { databaseOf, openMetricsServer, redisOf, type Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import { openBreaker } from '@placard/service-kit/breaker';
import { openGrpcServer } from '@placard/service-kit/grpc';
import { openPostgres } from '@placard/service-kit/postgres';
import { COMMAND_MS_MAX, openRedis } from '@placard/service-kit/redis';
import { toRuleValues, type Config } from './config.js';
import type { FraudRule } from './domain/fraud-rules.js';
import type { Judgement } from './domain/judgement.js';
import { makeRuleBook } from './domain/rule-book.js';
import type { Traffic } from './domain/traffic.js';
import { implementFraudService } from './rpc/fraud-handlers.js';
import { makeRedisSessionCounters } from './store/session-counters.redis.js';
import { makePgSuspiciousEvents } from './store/suspicious-events.pg.js';
import { makeCountSuspiciousEvents } from './usecase/count-suspicious-events.js';
import { makeFindSuspiciousEvents } from './usecase/find-suspicious-events.js';
import type { SuspiciousEvents } from './store/suspicious-events.js';
import { makeJudgeTraffic } from './usecase/judge-traffic.js';
import { makePruneSuspiciousEvents, type PruneSuspiciousEvents } from './usecase/prune-suspicious-events.js';
import { makeRecordSuspiciousEvents } from './usecase/record-suspicious-events.js';
import { makeJudgementMetrics, makeLogMetrics } from './metrics.js';

/** The log is written in batches, and rarely. */
const POOL_MAX = 4;
const PRUNE_INTERVAL_MS = 600_000;
/** Longest time to add entries to the log, in milliseconds. No event waits for it. */
const LOG_MS_MAX = 2_000;
/**
 * Longest pause between two trials of Postgres, in milliseconds. A commit that hangs keeps its connection in Postgres, even
 * after the client has given it up. So a long outage takes few of them.
 */
const LOG_PAUSE_MS_MAX = 5_000;

/**
 * Opens fraud-service: stores, pruning of the log, gRPC server and metrics server. Answers the address on which it
 * listens.
 */
export async function openApp(scope: Scope, config: Config): Promise<{ readonly port: number }> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const redis = openRedis(scope, { ...redisOf(config), name: scope.name, sendsAtOnce: true });
  // Judging works without the log, so readiness does not depend on it.
  const pool = openPostgres(scope, { ...databaseOf(config), poolMax: POOL_MAX, optional: true });
  const breaker = openBreaker(scope, { dependency: 'redis' });
  const counters = breaker.guard(COMMAND_MS_MAX, makeRedisSessionCounters(redis, scope.tracing));
  const log = makePgSuspiciousEvents(pool);
  const shadowRules = config.FRAUD_SHADOW_RULES;
  if (shadowRules.size > 0)
    scope.log.info({ rules: [...shadowRules] }, 'fraud rules in shadow mode refuse nothing');
  const ruleBook = makeRuleBook({
    values: toRuleValues(config),
    shadowRules,
    lifetimes: {
      adTtlMs: config.AD_TTL_SECONDS * 1_000,
      eventWindowMs: config.EVENT_WINDOW_SECONDS * 1_000,
    },
  });
  const retention = { days: config.SUSPICIOUS_EVENTS_KEPT_DAYS, countMax: config.SUSPICIOUS_EVENTS_KEPT_MAX };
  keepPruning(scope, makePruneSuspiciousEvents(log, retention, scope.clock));
  const service = implementFraudService({
    judge: makeJudgeTraffic({ counters, ruleBook, onJudgement: makeJudgementNotes(scope, shadowRules) }),
    findSuspiciousEvents: makeFindSuspiciousEvents(log),
    countSuspiciousEvents: makeCountSuspiciousEvents(log),
    recordSuspiciousEvents: makeRecordSuspiciousEvents(guardedLog(scope, log), makeLogMetrics(scope)),
  });
  return openGrpcServer(scope, { host: config.HOST, port: config.GRPC_PORT, services: [service] });
}

/** Counts each judgement. At the level `debug` the log has a line for each. */
function makeJudgementNotes(
  scope: Scope,
  shadowRules: ReadonlySet<FraudRule>,
): (traffic: Traffic, judgement: Judgement) => void {
  const count = makeJudgementMetrics(scope, shadowRules);
  if (!scope.log.isLevelEnabled('debug')) return ({ type }, judgement) => count(type, judgement);
  return ({ type, requestId }, judgement) => {
    count(type, judgement);
    scope.log.debug({ adRequestId: requestId, subject: type, rule: judgement.verdict ?? 'none' }, 'judged');
  };
}

function guardedLog(scope: Scope, log: SuspiciousEvents): Pick<SuspiciousEvents, 'add'> {
  const breaker = openBreaker(scope, { dependency: 'postgres', pauseMsMax: LOG_PAUSE_MS_MAX });
  return { add: (events) => breaker.run(LOG_MS_MAX, () => log.add(events)) };
}

function keepPruning(scope: Scope, prune: PruneSuspiciousEvents): void {
  keepRunning(scope, {
    name: 'pruning the suspicious-event log',
    intervalMs: PRUNE_INTERVAL_MS,
    async run() {
      const removedCount = await prune();
      if (removedCount > 0) scope.log.info({ removedCount }, 'suspicious-event log pruned');
    },
  });
}
