import { statSync } from 'node:fs';
import { CATALOG_FILE_BYTES_MAX, catalogSizeText } from '../pure/index.js';
import { readFileUpTo } from './read-file-up-to.js';

/** The bytes of a catalog file, or a fault: `has 300000000 bytes, and …`. */
export type CatalogBytes = { readonly bytes: Uint8Array } | { readonly fault: string };

/**
 * Reads a catalog file, a pipe or a device of at most `CATALOG_FILE_BYTES_MAX` bytes. Throws the system's error when it
 * cannot be read.
 */
export function readCatalogBytes(file: string): CatalogBytes {
  const { size } = statSync(file);
  const bytes = size > CATALOG_FILE_BYTES_MAX ? null : readFileUpTo(file, CATALOG_FILE_BYTES_MAX);
  if (bytes !== null) return { bytes };
  // A pipe or a device has no size. It has more bytes than were read.
  return { fault: catalogSizeText(Math.max(size, CATALOG_FILE_BYTES_MAX + 1)) };
}
