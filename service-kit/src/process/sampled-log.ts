import { LRUCache } from 'lru-cache';
import type { Scope } from './scope.js';

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
/** Most kinds that are remembered. The kind that was seen least recently is forgotten, and its count is written. */
const KINDS_MAX = 1_000;

/** A kind whose lines are left out at present. */
interface Kind {
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** Of the newest line. */
  fields: SampledFields;
  leftOut: number;
  /** Ends the pause. */
  cancel: () => void;
}

/**
 * The one policy for lines that repeat with the requests: the first line of a kind is written at once. Lines of the same
 * kind are left out for `sampledMs` milliseconds. The newest of them is written at the end of that time, with their number
 * as `repeated`, and the next pause begins. At the close of the scope all numbers are written. Lines of background work
 * follow another policy: `makeFailureLog` of `@placard/service-kit/background`.
 */
export function makeSampledLog(
  { log, timers, onClose }: Pick<Scope, 'log' | 'timers' | 'onClose'>,
  sampledMs = SAMPLED_MS,
): SampledLog {
  const writeCount = (kind: Kind): void => {
    if (kind.leftOut === 0) return;
    log[kind.level]({ ...kind.fields, repeated: kind.leftOut }, kind.message);
    kind.leftOut = 0;
  };
  const forget = (kind: Kind): void => {
    kind.cancel();
    writeCount(kind);
  };
  const kinds = new LRUCache<string, Kind>({ max: KINDS_MAX, dispose: forget });
  const pause = (name: string, kind: Kind): void => {
    kind.cancel = timers.after(sampledMs, () => {
      if (kind.leftOut === 0) {
        kinds.delete(name);
        return;
      }
      writeCount(kind);
      pause(name, kind);
    });
  };
  const write = (level: Kind['level'], fields: SampledFields, message: string): void => {
    const { code = '', method = '', route = '', operation = '', caller = '' } = fields;
    const name = [level, message, code, method, route, operation, caller].join('\n');
    const known = kinds.get(name);
    if (known !== undefined) {
      known.leftOut += 1;
      known.fields = fields;
      return;
    }
    log[level](fields, message);
    const kind: Kind = { level, message, fields, leftOut: 0, cancel: () => undefined };
    kinds.set(name, kind);
    pause(name, kind);
  };
  onClose('sampled log', () => kinds.clear());
  return {
    warn: (fields, message) => write('warn', fields, message),
    error: (fields, message) => write('error', fields, message),
  };
}
