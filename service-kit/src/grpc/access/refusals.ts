import { Counter } from 'prom-client';
import { makeSampledLog } from '../../process/sampled-log.js';
import type { Scope } from '../../process/scope.js';
import type { Caller } from './callers.js';

/** Refusals of the same method and caller are logged at most once in this time, in milliseconds. */
const LOG_MS = 60_000;
const UNKNOWN_METHOD = 'unknown';

/** Counts and logs a refused call. `path` null: the table has no such method. `keyless`: it lacks the right key. */
export type NoteRefusal = (path: string | null, caller: Caller | 'keyless') => void;

/** Opens the count and the log of the calls that a process refuses. */
export function openRefusals(scope: Scope): NoteRefusal {
  const counter = new Counter({
    name: 'placard_rpc_refused_total',
    help: 'Calls that were refused because of the certificate or the key of the caller, by method and caller',
    labelNames: ['method', 'caller'] as const,
    registers: [scope.metrics],
  });
  const log = makeSampledLog(scope, LOG_MS);
  return (path, caller) => {
    // `/placard.events.v1.LedgerService/RecordDeposit` → `LedgerService/RecordDeposit`
    const method = path === null ? UNKNOWN_METHOD : path.slice(path.lastIndexOf('.') + 1);
    counter.inc({ method, caller });
    const what =
      caller === 'keyless'
        ? 'it lacks the key of this server'
        : 'the certificate of the caller does not allow it';
    log.warn({ method, caller }, `a call was refused: ${what}`);
  };
}
