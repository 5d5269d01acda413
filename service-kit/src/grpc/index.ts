export * from './call-context.js';
export * from './client.js';
export * from './definitions.js';
export { HealthCheckService } from './health-check.js';
export * from './server.js';
