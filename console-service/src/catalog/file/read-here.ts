import { Faults } from '../domain/faults.js';
import { readCatalog, type CatalogFile } from '../domain/read-catalog.js';
import { readText } from './read-text.js';

/** The result of reading a catalog file. */
export interface FileRead {
  /** The content that could be read; null when the file cannot be read at all. */
  readonly file: CatalogFile | null;
  /** The faults so far. */
  readonly faults: Faults;
}

/** Reads the text of a catalog file on this thread. It takes up to a second for each ten million characters. */
export function readHere(text: string): FileRead {
  const faults = new Faults();
  const content = readText(text, faults);
  return { file: faults.isEmpty() ? readCatalog(content, faults) : null, faults };
}
