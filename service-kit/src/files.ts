export * from './read-file-up-to.js';
export * from './replace-file.js';
