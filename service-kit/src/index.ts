// The parts that every process needs. A part with its own library or feature has its own entry in package.json (`/grpc`,
// `/postgres`, `/redis` …), so that a process loads only the parts that it uses.
export * from './http/close-http-server.js';
export * from './http/listen.js';
export * from './http/metrics.js';
export * from './overload/index.js';
export * from './process/closers.js';
export * from './process/coarse-timers.js';
export * from './process/config.js';
export * from './process/errors.js';
export * from './process/health.js';
export * from './process/lifecycle.js';
export * from './process/logs.js';
export * from './process/rpc-settings.js';
export * from './process/sampled-log.js';
export * from './process/scope.js';
export * from './process/setting.js';
export * from './process/timers.js';
export * from './stores/index.js';
export * from './tracing/tracing.js';
