import { LRUCache } from 'lru-cache';
import type { Clock } from '../pure/clock.js';
import type { Logger } from './logs.js';

/** Fields of a sampled line. `code`, `method`, `route`, `operation` and `caller` are part of its kind. */
export interface SampledFields {
  readonly code?: string;
  readonly method?: string;
  readonly route?: string;
  readonly operation?: string;
  readonly caller?: string;
  readonly [name: string]: unknown;
}

/** Writes lines that every request may cause, such as a failure of a peer. */
export interface SampledLog {
  warn(fields: SampledFields, message: string): void;
  error(fields: SampledFields, message: string): void;
}

/** Time in which one line of a kind is written, unless an argument says otherwise, in milliseconds. */
export const SAMPLED_MS = 10_000;
/** Most kinds that are remembered. The kind that was seen least recently is forgotten with its count. */
const KINDS_MAX = 1_000;

interface Kind {
  writtenAtMs: number;
  leftOut: number;
}

/**
 * The one policy for lines that repeat with the requests: the first line of a kind is written at once. Lines of the same
 * kind are left out for `sampledMs` milliseconds, and the next line has their number as `repeated`. Lines of background work
 * follow another policy: `makeFailureLog` of `@placard/service-kit/background`.
 */
export function makeSampledLog(
  { log, clock }: { readonly log: Pick<Logger, 'warn' | 'error'>; readonly clock: Clock },
  sampledMs = SAMPLED_MS,
): SampledLog {
  const kinds = new LRUCache<string, Kind>({ max: KINDS_MAX });
  const write = (level: 'warn' | 'error', fields: SampledFields, message: string): void => {
    const { code = '', method = '', route = '', operation = '', caller = '' } = fields;
    const name = [level, message, code, method, route, operation, caller].join('\n');
    const nowMs = clock.now();
    const kind = kinds.get(name);
    // A clock that was set back must not silence a kind for longer.
    if (kind !== undefined && Math.abs(nowMs - kind.writtenAtMs) < sampledMs) {
      kind.leftOut += 1;
      return;
    }
    const repeated = kind?.leftOut ?? 0;
    kinds.set(name, { writtenAtMs: nowMs, leftOut: 0 });
    log[level](repeated === 0 ? fields : { ...fields, repeated }, message);
  };
  return {
    warn: (fields, message) => write('warn', fields, message),
    error: (fields, message) => write('error', fields, message),
  };
}
