import { toIso } from '@placard/service-kit/pure';

/** An instant (epoch ms) in ISO 8601; null for one that is missing. */
export function isoOrNull(atMs: number | bigint | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : toIso(Number(atMs));
}
