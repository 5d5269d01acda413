import { openMetricsServer, type Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import { openGrpcServer } from '@placard/service-kit/grpc';
import { openPostgres } from '@placard/service-kit/postgres';
import { openRedis } from '@placard/service-kit/redis';
import { toRuleValues, type Config } from './config.js';
import { makeRuleBook } from './domain/rule-book.js';
import { implementFraudService } from './rpc/fraud-handlers.js';
import { makeRedisSessionCounters } from './store/session-counters.redis.js';
import { makePgSuspiciousEvents } from './store/suspicious-events.pg.js';
import { makeJudgeTraffic } from './usecase/judge-traffic.js';
import { makePruneSuspiciousEvents, type PruneSuspiciousEvents } from './usecase/prune-suspicious-events.js';
import { makeRecordSuspiciousEvents } from './usecase/record-suspicious-events.js';
import { makeJudgementMetrics, makeLogMetrics } from './metrics.js';

/** The log is written in batches, and rarely. */
const POOL_MAX = 4;
const PRUNE_INTERVAL_MS = 600_000;

/**
 * Opens fraud-service: stores, pruning of the log, gRPC server and metrics server. Answers the address on which it
 * listens.
 */
export async function openApp(scope: Scope, config: Config): Promise<{ readonly port: number }> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const redis = openRedis(scope, { url: config.REDIS_URL, name: scope.name, sendsAtOnce: true });
  // Judging works without the log, so readiness does not depend on it.
  const pool = openPostgres(scope, { url: config.DATABASE_URL, poolMax: POOL_MAX, optional: true });
  const counters = makeRedisSessionCounters(redis, scope.tracing);
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
    judge: makeJudgeTraffic({ counters, ruleBook, onJudgement: makeJudgementMetrics(scope, shadowRules) }),
    recordSuspiciousEvents: makeRecordSuspiciousEvents(log, makeLogMetrics(scope)),
  });
  return openGrpcServer(scope, { host: config.HOST, port: config.GRPC_PORT, services: [service] });
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
