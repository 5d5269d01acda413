export * from './callback-target.js';
export * from './post-callback.js';
export * from './post-signed.js';
export * from './public-address.js';
export * from './signature.js';
export { spareSilentHosts } from './spare-silent-hosts.js';
