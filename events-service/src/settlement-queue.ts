/**
 * The queue that starts runs of the settlement. Its jobs carry no data: the backlog in Postgres says what to do.
 * Design: docs/architecture.md#an-impression.
 */
export const SETTLEMENT_QUEUE = { name: 'settlement', prefix: '{bull-0}' } as const;

/** The job that is added when an accepted event was stored. Earlier releases use the same value. */
export const SETTLE_JOB = 'wake';

/** The repeating job that finds events whose own job was lost. */
export const SWEEP_JOB = 'sweep';
