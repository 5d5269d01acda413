/**
 * The queue that wakes the settlement. Its jobs carry nothing: Postgres says what waits.
 * Design: docs/architecture.md#an-impression.
 */
export const SETTLEMENT_QUEUE = { name: 'settlement', prefix: '{bull-0}' } as const;

/** A job that says: something waits. */
export const WAKE_JOB = 'wake';

/** The repeating job that finds what no job has said. */
export const SWEEP_JOB = 'sweep';
