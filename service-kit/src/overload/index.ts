export * from './door.js';
export * from './doors.js';
export * from './importance.js';
