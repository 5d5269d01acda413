export * from './catalog.js';
export * from './clock.js';
export * from './ids.js';
export * from './money.js';
export * from './random.js';
export * from './time.js';
export * from './tokens.js';
