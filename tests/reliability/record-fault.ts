import { mkdirSync, writeFileSync } from 'node:fs';
import type { FaultRow } from './fault-row.js';

/** Folder of the rows that the tests of this checkout made. */
export const ROWS_DIR = new URL('../../.data/reliability/', import.meta.url);

/**
 * Keeps a fault and its effects for the table of docs/reliability.md, which `npm run reliability` writes. A test calls
 * it once its assertions hold.
 */
export function recordFault(row: FaultRow): void {
  const name = row.fault.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  mkdirSync(ROWS_DIR, { recursive: true });
  writeFileSync(new URL(`${name}.json`, ROWS_DIR), `${JSON.stringify(row, null, 2)}\n`);
}
