import { Faults } from '../domain/faults.js';
import { readCatalog, type CatalogFile } from '../domain/read-catalog.js';
import { readText } from './read-text.js';

/** A catalog file that was read. */
export interface FileRead {
  /** What it holds as far as that can be understood; null when it cannot be read at all. */
  readonly file: CatalogFile | null;
  /** What is wrong with it so far. */
  readonly faults: Faults;
}

/** Reads the text of a catalog file on this thread, which takes up to a second for each ten million characters. */
export function readHere(text: string): FileRead {
  const faults = new Faults();
  const content = readText(text, faults);
  return { file: faults.isEmpty() ? readCatalog(content, faults) : null, faults };
}
