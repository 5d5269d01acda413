export * from './catalog.js';
export * from './clock.js';
export * from './scope.js';
export * from './stores.js';
export * from './catalog-server.js';
