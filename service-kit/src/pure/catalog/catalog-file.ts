/**
 * Most bytes of a catalog file for every reader and sender. 100,000 campaigns take about 120 MB as JSON and 170 MB in
 * an export.
 */
export const CATALOG_FILE_BYTES_MAX = 256 * 1024 * 1024;

/** Longest time of an apply of the largest catalog, in milliseconds. */
export const CATALOG_APPLY_MS_MAX = 600_000;

/** The fault of a catalog file with too many bytes. */
export function catalogSizeText(bytes: number): string {
  return `has ${bytes} bytes, and a catalog file may have ${CATALOG_FILE_BYTES_MAX} (256 MiB); split it, or write it as JSON`;
}
