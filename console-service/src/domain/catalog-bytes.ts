/**
 * Most bytes of a message between the command and console-service: the largest catalog. 100,000 campaigns take some 120 MB
 * as JSON, and 170 MB as they are exported.
 */
export const CATALOG_BYTES_MAX = 256 * 1024 * 1024;
