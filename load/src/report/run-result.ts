import { readFileSync } from 'node:fs';
import type { CompareResult } from '../compare.js';
import type { LoadFigures } from '../figures.js';
import type { Machine } from '../measure/machine.js';
import type { LoadOptions } from '../options.js';
import type { TargetResult } from '../run-target.js';

/** Grows when the shape changes in a way that earlier files cannot be read any more. */
export const RESULT_VERSION = 1;

/** A whole run, as it is written to JSON. */
export interface RunResult {
  readonly version: typeof RESULT_VERSION;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly machine: Machine;
  readonly options: LoadOptions;
  readonly targets: readonly TargetResult[];
  /** Null unless the run compared. */
  readonly comparison: CompareResult | null;
}

/** Reads an earlier run. Throws an `Error` whose message says what is wrong. */
export function readResult(file: string): RunResult {
  let result: Partial<RunResult>;
  try {
    result = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunResult>;
  } catch (error) {
    throw new Error(`--compare ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (result.version !== RESULT_VERSION) throw new Error(`--compare ${file}: is no result of this command`);
  return result as RunResult;
}

/** The same target of an earlier run; null when it has none. */
export function earlierFigures(earlier: RunResult | null, target: string): LoadFigures | null {
  return earlier?.targets.find((one) => one.target === target)?.figures ?? null;
}
