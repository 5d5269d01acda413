import { NO_CLOSED_FILLS, UNKNOWN_TRAFFIC, type PaceKnowledge } from '../pure/index.js';

/** The facts of an unknown campaign. */
export const NOTHING_KNOWN: PaceKnowledge = {
  anchor: null,
  resumedAtMs: null,
  closed: NO_CLOSED_FILLS,
  forecast: UNKNOWN_TRAFFIC,
};
