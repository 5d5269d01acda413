/**
 * Most bytes of a catalog file, whoever reads or sends it: 100,000 campaigns take some 120 MB as JSON, and 170 MB as they are
 * exported.
 */
export const CATALOG_FILE_BYTES_MAX = 256 * 1024 * 1024;

/** Longest that an apply of the largest catalog may take, in milliseconds. */
export const CATALOG_APPLY_MS_MAX = 600_000;

/** What is said of a catalog file of so many bytes, which are too many. */
export function catalogSizeText(bytes: number): string {
  return `has ${bytes} bytes, and a catalog file may have ${CATALOG_FILE_BYTES_MAX} (256 MiB); split it, or write it as JSON`;
}
