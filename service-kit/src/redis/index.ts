export * from './gathered-script.js';
export * from './redis-connection.js';
export { redisFault } from './redis-faults.js';
export * from './redis.js';
