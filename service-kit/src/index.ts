// What every process needs. Whatever brings a library or a feature of its own has an entry of its own in package.json
// (`/grpc`, `/postgres`, `/redis` …), so that a process loads what it uses and nothing else.
export * from './http/close-http-server.js';
export * from './http/listen.js';
export * from './http/metrics.js';
export * from './process/closers.js';
export * from './process/coarse-timers.js';
export * from './process/config.js';
export * from './process/errors.js';
export * from './process/health.js';
export * from './process/lifecycle.js';
export * from './process/logs.js';
export * from './process/scope.js';
export * from './tracing/tracing.js';
