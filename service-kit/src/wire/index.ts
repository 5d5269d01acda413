export * from './catalog-wire.js';
export * from './contract-wire.js';
