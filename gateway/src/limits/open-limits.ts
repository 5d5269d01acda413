import { makeSampledLog, messageOf, redisOf, type Scope } from '@placard/service-kit';
import { openBreaker } from '@placard/service-kit/breaker';
import { openRedis, type RedisClient } from '@placard/service-kit/redis';
import { Counter } from 'prom-client';
import type { GatewayConfig } from '../config.js';
import { makeAdmissions, type Admissions } from './middleware/admission.js';
import { makeCountRefusal, type CountRefusal } from './middleware/refusals.js';
import { makeRateLimitLeases } from './store/rate-limit-leases.js';
import { makeFallbackRateLimiter } from './store/rate-limiter.fallback.js';
import { makeMemoryRateLimiter } from './store/rate-limiter.memory.js';
import { makeRedisRateLimiter } from './store/rate-limiter.redis.js';
import type { RateLimiter } from './store/rate-limiter.js';

/** The limits that all features share. */
export interface Limits {
  readonly admissions: Admissions;
  readonly countRefusal: CountRefusal;
}

/** Opens the limits. Redis counts the requests. While it is unavailable, this process counts alone. */
export function openLimits(scope: Scope, config: GatewayConfig): Limits {
  const redis = openRedis(scope, { ...redisOf(config), name: scope.name, sendsAtOnce: true });
  const countRefusal = makeCountRefusal(scope);
  const admissions = makeAdmissions(scope, {
    countRefusal,
    leases: makeRateLimitLeases(makeRateLimiter(scope, redis)),
    limits: config.RATE_LIMITS,
    networkHashKey: config.NETWORK_HASH_KEY,
  });
  return { admissions, countRefusal };
}

function makeRateLimiter(scope: Scope, redis: RedisClient): RateLimiter {
  const failures = new Counter({
    name: 'placard_rate_limiter_failures_total',
    help: 'Requests that this process counted because Redis did not',
    registers: [scope.metrics],
  });
  return makeFallbackRateLimiter({
    shared: makeRedisRateLimiter(redis, scope.tracing),
    own: makeMemoryRateLimiter(),
    breaker: openBreaker(scope, { dependency: 'redis' }),
    onFailure(error) {
      failures.inc();
      const fields = { reason: messageOf(error) };
      scope.once(makeSampledLog).warn(fields, 'rate limits are counted by this process alone');
    },
  });
}
