export * from './read-catalog-text.js';
export * from './read-file-up-to.js';
export * from './replace-file.js';
export * from './text-file.js';
