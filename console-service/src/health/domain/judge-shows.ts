import type { DayCounts } from './delivery.js';

/** With fewer fills, the share of shown ones says little. */
const FILLS_MIN = 100;
/** A lower share of shown fills is a concern. */
const SHOWN_MIN = 0.3;

/** Whether fewer than three in ten of at least 100 fills were shown. */
export function isRarelyShown({ fills, impressions }: DayCounts): boolean {
  return fills >= FILLS_MIN && impressions < SHOWN_MIN * fills;
}
