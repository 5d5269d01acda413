import { MINUTE_MS } from '@placard/service-kit/pure';
import { concernKey, type Concern } from './concern.js';
import { toConcernRow, type ConcernRow } from './concern-row.js';

/** A concern ends when it was not found for this long. So a figure that moves around its bound is one concern. */
export const ENDS_AFTER_MS = 15 * MINUTE_MS;

/** A concern that has begun and has not ended. Instants are epoch ms. */
export interface OpenConcern {
  readonly key: string;
  readonly beganAtMs: number;
  /** When it was last found. */
  readonly seenAtMs: number;
  /** As it was last found. */
  readonly row: ConcernRow;
}

/** The difference between the open concerns and those that were found. */
export interface ConcernChanges {
  readonly begun: readonly OpenConcern[];
  /** Open before and found again, as they are now. */
  readonly kept: readonly OpenConcern[];
  readonly ended: readonly OpenConcern[];
}

/** Compares the open concerns with those that were found at an instant. */
export function compareConcerns(
  open: readonly OpenConcern[],
  found: readonly Concern[],
  nowMs: number,
): ConcernChanges {
  const known = new Map(open.map((concern) => [concern.key, concern]));
  const begun: OpenConcern[] = [];
  const kept: OpenConcern[] = [];
  for (const concern of found) {
    const key = concernKey(concern);
    const before = known.get(key);
    known.delete(key);
    const beganAtMs = before?.beganAtMs ?? nowMs;
    const now = { key, beganAtMs, seenAtMs: nowMs, row: toConcernRow(concern, beganAtMs) };
    (before === undefined ? begun : kept).push(now);
  }
  const ended = [...known.values()].filter(({ seenAtMs }) => nowMs - seenAtMs >= ENDS_AFTER_MS);
  return { begun, kept, ended };
}
