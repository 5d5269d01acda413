export * from './catalog.js';
export * from './clock.js';
export * from './scope.js';
export * from './catalog-server.js';
export * from './error-code.js';
export * from './until.js';
export * from './tracing.js';
