import { readFileSync } from 'node:fs';

/** Reads a text file beside the calling module, such as SQL or Lua. Call it at start, never per request. */
export function loadText(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), 'utf8');
}
