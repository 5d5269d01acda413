export * from './read-catalog-bytes.js';
export * from './read-file-up-to.js';
export * from './replace-file.js';
export * from './text-file.js';
