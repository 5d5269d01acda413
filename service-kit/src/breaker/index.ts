// Circuit breakers: docs/decisions/0010-breakers.md.
export { openBreaker } from './breaker.js';
export type { AdmittedCall, Breaker, BreakerOptions, BreakerTime, Calls } from './breaker.js';
