import { parseDay, parseInstant } from '../../domain/instant.js';

/** An end of a range as an operator writes it: a day of the report's zone, or an instant (epoch ms). */
export type When = { readonly day: string } | { readonly atMs: number };

/** Reads a day or an instant. Null: it is neither, or not from 1970 to 9999. */
export function parseWhen(text: string): When | null {
  if (parseDay(text) !== null) return { day: text };
  const atMs = parseInstant(text);
  return atMs === null ? null : { atMs };
}
