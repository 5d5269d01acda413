import { readFileSync } from 'node:fs';
import type { BillResult } from '../bill/run-bill.js';
import type { CatalogResult } from '../catalog.js';
import type { CompareResult } from '../compare/compare.js';
import type { DrainResult } from '../drain.js';
import type { LoadFigures } from '../figures.js';
import type { LatencyResult } from '../latency.js';
import type { LeaseFigures } from '../leases/figures.js';
import type { GuardResult } from '../compare/guard.js';
import type { Machine } from '../measure/machine.js';
import type { Target } from '../operations.js';
import type { LoadOptions } from '../options.js';
import type { TargetResult } from '../run-target.js';
import type { SelectionFigures } from '../selection/figures.js';
import type { NamedLoad } from './named-load.js';
import type { OverloadResult } from '../overload/run-overload.js';
import type { SoakResult } from '../soak/soak.js';

/** Version of the shape. It is raised when earlier files can no longer be read. */
export const RESULT_VERSION = 3;

/** The results of a command. */
export interface Results {
  readonly targets?: readonly TargetResult[];
  readonly comparison?: CompareResult;
  readonly latency?: LatencyResult;
  readonly selection?: readonly SelectionFigures[];
  readonly catalog?: CatalogResult;
  readonly drain?: DrainResult;
  readonly leases?: LeaseFigures;
  readonly soak?: SoakResult;
  readonly overload?: OverloadResult;
  readonly bill?: BillResult;
  readonly guard?: GuardResult;
}

/** The JSON form of a whole run. */
export interface RunResult extends Results {
  readonly version: typeof RESULT_VERSION;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly machine: Machine;
  readonly options: LoadOptions;
}

/** Reads an earlier run of one of these targets. Throws an `Error` with the fault. */
export function readResult(file: string, targets: readonly Target[]): RunResult {
  let result: Partial<RunResult> | null;
  try {
    result = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunResult> | null;
  } catch (error) {
    throw new Error(`--compare ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (result?.version !== RESULT_VERSION) {
    throw new Error(`--compare ${file}: is no result of this command, or one of another release`);
  }
  if (!result.targets?.some(({ target }) => targets.includes(target))) {
    throw new Error(
      `--compare ${file}: holds no load on ${targets.join(', ')}, so there is nothing to compare`,
    );
  }
  return result as RunResult;
}

/** The figures of a target in an earlier run; null when it has none. */
export function earlierFigures(earlier: RunResult | null, target: string): LoadFigures | null {
  return earlier?.targets?.find((one) => one.target === target)?.figures ?? null;
}

/** Every stretch of load whose answers must be promised ones. */
export function loadsOf(results: Results): readonly NamedLoad[] {
  const { targets = [], comparison, latency, catalog, drain, soak, overload, bill, guard } = results;
  return [
    ...targets.map(({ target: name, figures }) => ({ name, figures })),
    ...(comparison?.rounds ?? guard?.comparison.rounds ?? []).flatMap((round, index) =>
      Object.entries(round).map(([step, figures]) => ({
        name: `round ${index + 1}, ${step}`,
        figures,
        isPriceOnly: true as const,
      })),
    ),
    ...(latency === undefined
      ? []
      : [
          ...latency.closed.map(({ figures }) => ({ name: 'closed loop', figures })),
          { name: 'half load', figures: latency.product.half },
          { name: 'unloaded', figures: latency.product.unloaded },
          { name: 'the skeleton at that rate', figures: latency.skeleton.half },
          { name: 'the skeleton unloaded', figures: latency.skeleton.unloaded },
        ]),
    ...(catalog === undefined
      ? []
      : [
          { name: 'without changes', figures: catalog.still.figures },
          { name: 'with changes', figures: catalog.changing.figures },
        ]),
    ...(drain === undefined ? [] : [{ name: 'gateway', figures: drain.gateway }]),
    ...(soak === undefined ? [] : [{ name: 'soak', figures: soak.figures }]),
    ...(overload?.steps.map(({ times, load }) => ({
      name: `${times} × saturation`,
      figures: load,
      isOverload: true as const,
    })) ?? []),
    ...(bill === undefined ? [] : bill.loads),
  ];
}
