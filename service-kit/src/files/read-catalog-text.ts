import { statSync } from 'node:fs';
import { messageOf } from '../process/errors.js';
import { CATALOG_FILE_BYTES_MAX, catalogSizeText, decodeUtf8, type Utf8Text } from '../pure/index.js';
import { readFileUpTo } from './read-file-up-to.js';

/**
 * The text of a catalog file, of a pipe or a device of at most `CATALOG_FILE_BYTES_MAX` bytes; or what is wrong with it and
 * what to do, to stand behind its name: `is not UTF-8: line 3, byte 17 of that line. Save it as UTF-8 and try again.`
 */
export function readCatalogText(file: string): Utf8Text {
  let bytes: Uint8Array | null;
  let size: number;
  try {
    ({ size } = statSync(file));
    bytes = size > CATALOG_FILE_BYTES_MAX ? null : readFileUpTo(file, CATALOG_FILE_BYTES_MAX);
  } catch (error) {
    return { fault: `cannot be read: ${messageOf(error)}. Name a file that exists and can be read.` };
  }
  // A pipe or a device has no size. It has more bytes than were read.
  if (bytes === null) return { fault: `${catalogSizeText(Math.max(size, CATALOG_FILE_BYTES_MAX + 1))}.` };
  return decodeCatalog(bytes);
}

/** The text of the bytes of a catalog file, or what is wrong with them and what to do, see {@link readCatalogText}. */
export function decodeCatalog(bytes: Uint8Array): Utf8Text {
  const decoded = decodeUtf8(bytes);
  return 'text' in decoded ? decoded : { fault: `${decoded.fault}. Save it as UTF-8 and try again.` };
}
