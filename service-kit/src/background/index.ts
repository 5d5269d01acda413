// Work that no caller waits for, and what bounds it: docs/architecture.md#background-work.
export { makeBoundedMap, type BoundedMap } from './bounded-map.js';
export { keepProbing, type Probe, type ProbeOptions } from './keep-probing.js';
export { keepRunning, type KeepRunningOptions, type Running } from './keep-running.js';
export { makeNumberedBatches, type NumberedBatches, type NumberedBatchesDeps } from './numbered-batches.js';
export { openOutbox, type Outbox, type OutboxOptions } from './outbox.js';
export { makeSingleFlight, type SingleFlight } from './single-flight.js';
