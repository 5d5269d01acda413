import type { Part } from './part.js';
import { ADS_PARTS } from './parts/ads.js';
import { EVENTS_PARTS } from './parts/events.js';
import { GATEWAY_PARTS } from './parts/gateway.js';
import { SERVICES_PARTS } from './parts/services.js';
import { TOKENS_PARTS } from './parts/tokens.js';
import { WATCHING_PARTS } from './parts/watching.js';

/** All parts that can be left out of a call. */
export const PARTS: readonly Part[] = [
  ...GATEWAY_PARTS,
  ...SERVICES_PARTS,
  ...ADS_PARTS,
  ...EVENTS_PARTS,
  ...TOKENS_PARTS,
  ...WATCHING_PARTS,
];

/** The part of that id. Throws an `Error` when there is none. */
export function partOf(id: string): Part {
  const part = PARTS.find((one) => one.id === id);
  if (part === undefined)
    throw new Error(`--parts: no part ${id}; there are ${PARTS.map((one) => one.id).join(', ')}`);
  return part;
}
