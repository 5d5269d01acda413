import { statSync } from 'node:fs';
import { CATALOG_FILE_BYTES_MAX, catalogSizeText } from '../pure/index.js';
import { readFileUpTo } from './read-file-up-to.js';

/** The bytes of a catalog file, or what is wrong with its size: `has 300000000 bytes, and …`. */
export type CatalogBytes = { readonly bytes: Uint8Array } | { readonly fault: string };

/**
 * Reads a catalog file, a pipe or a device of at most `CATALOG_FILE_BYTES_MAX` bytes. Throws the error of the system when it
 * cannot be read.
 */
export function readCatalogBytes(file: string): CatalogBytes {
  const { size } = statSync(file);
  const bytes = size > CATALOG_FILE_BYTES_MAX ? null : readFileUpTo(file, CATALOG_FILE_BYTES_MAX);
  if (bytes !== null) return { bytes };
  // A pipe or a device says no size: it has more than was read.
  return { fault: catalogSizeText(Math.max(size, CATALOG_FILE_BYTES_MAX + 1)) };
}
