export { connectionOf } from './postgres-connection.js';
export { databaseFault, sqlStateOf } from './postgres-faults.js';
export * from './postgres-metrics.js';
export * from './postgres-pool.js';
export * from './postgres.js';
