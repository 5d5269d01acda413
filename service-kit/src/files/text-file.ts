import { readFileSync } from 'node:fs';

/** Reads a text that stands beside the calling module, such as an SQL or Lua file; at start, never per request. */
export function loadText(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), 'utf8');
}
