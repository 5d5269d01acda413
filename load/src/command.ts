import { replaceFile } from '@placard/service-kit/files';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { runBill } from './bill/run-bill.js';
import { runCatalog } from './catalog.js';
import { runCompare } from './compare/compare.js';
import { runDrain } from './drain.js';
import { runGuard } from './compare/guard.js';
import { runLatency } from './latency.js';
import { runLeases } from './leases/run-leases.js';
import { describeMachine } from './measure/machine.js';
import { TARGETS, type Target } from './operations.js';
import { HELP, parseLoadOptions, type LoadOptions } from './options.js';
import { phaseOf } from './place.js';
import { faultsOf, warningsOf } from './report/faults.js';
import { htmlPage } from './report/html.js';
import {
  earlierFigures,
  loadsOf,
  readResult,
  RESULT_VERSION,
  type Results,
  type RunResult,
} from './report/run-result.js';
import { sectionsOf } from './report/sections.js';
import { overloadPicture } from './report/sections/overload.js';
import { sectionLines, targetLines } from './report/text.js';
import type { Run } from './run.js';
import { runTarget, type TargetResult } from './run-target.js';
import { runSelection } from './selection/run-selection.js';
import { exhaustionOf } from './overload/exhaustion.js';
import { runOverload } from './overload/run-overload.js';
import { runSoak } from './soak/soak.js';

const EXIT_USAGE = 2;
const EXIT_STOPPED = 130;

/** Runs the load command; returns the exit status: 1 when an answer broke the contract. */
export async function runLoad(argv: readonly string[], stopping: AbortSignal): Promise<number> {
  if (argv.includes('--help')) {
    say(HELP);
    return 0;
  }
  if (argv.length === 0) {
    process.stderr.write(`${HELP}\n`);
    return EXIT_USAGE;
  }
  let options: LoadOptions;
  try {
    options = parseLoadOptions(argv);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return EXIT_USAGE;
  }
  try {
    return await load({ options, say, stopping });
  } catch (error) {
    if (stopping.aborted) return EXIT_STOPPED;
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

async function load(run: Run): Promise<number> {
  const { options } = run;
  const earlier = options.compare === null ? null : readResult(options.compare, targetsOf(options));
  if (options.catalog !== null && !existsSync(options.catalog)) {
    throw new Error(`--catalog ${options.catalog}: there is no such file`);
  }
  // Checked before anything runs: a fault at the last target would lose the results of the first.
  for (const target of targetsOf(options)) phaseOf(target, options);
  makeOutDir(options.outDir);
  const machine = describeMachine();
  const startedAt = new Date().toISOString();
  say(
    `Node.js ${machine.node}, ${machine.cores} cores of ${machine.cpu}, load ${machine.loadBefore.join(' ')}`,
  );
  const results = await resultsOf(run, earlier);
  for (const section of sectionsOf(results, options)) for (const line of sectionLines(section)) say(line);
  write({ version: RESULT_VERSION, startedAt, machine, options, ...results }, earlier);
  const loads = loadsOf(results);
  for (const warning of loads.flatMap(warningsOf)) say(warning);
  const faults = [
    ...loads.flatMap(faultsOf),
    ...(results.bill?.unused ?? []),
    ...guardFaults(results),
    ...descriptorFaults(results),
  ];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** The verdict of the guard when it fails. */
function guardFaults({ guard }: Results): readonly string[] {
  return guard === undefined || guard.isPassed ? [] : [guard.verdict];
}

/** The fault of an overload in which the gateway had no connection left. */
function descriptorFaults({ overload }: Results): readonly string[] {
  return overload === undefined ? [] : exhaustionOf(overload);
}

function makeOutDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw new Error(`--out ${dir}: the folder cannot be made (${messageOf(error)})`, { cause: error });
  }
}

async function resultsOf(run: Run, earlier: RunResult | null): Promise<Results> {
  switch (run.options.command) {
    case 'compare':
      return { comparison: await runCompare(run) };
    case 'latency':
      return { latency: await runLatency(run) };
    case 'selection':
      return { selection: await runSelection(run) };
    case 'catalog':
      return { catalog: await runCatalog(run) };
    case 'drain':
      return { drain: await runDrain(run) };
    case 'leases':
      return { leases: await runLeases(run) };
    case 'soak':
      return { soak: await runSoak(run) };
    case 'overload':
      return { overload: await runOverload(run) };
    case 'guard':
      return { guard: await runGuard(run) };
    case 'bill':
      return { bill: await runBill(run) };
    default:
      return { targets: await runTargets(run, earlier) };
  }
}

/** The targets that a command loads one by one; none for other commands. */
function targetsOf({ command }: LoadOptions): readonly Target[] {
  return TARGETS.filter((target) => command === target || command === 'all');
}

async function runTargets(run: Run, earlier: RunResult | null): Promise<readonly TargetResult[]> {
  const results: TargetResult[] = [];
  for (const target of targetsOf(run.options)) {
    const result = await runTarget(target, run);
    results.push(result);
    for (const line of targetLines(result, earlierFigures(earlier, target))) say(line);
  }
  return results;
}

function write(result: RunResult, earlier: RunResult | null): void {
  const name = `${result.startedAt.replaceAll(':', '-').slice(0, 19)}-${result.options.command}`;
  const file = path.resolve(result.options.outDir, name);
  replaceFile(`${file}.json`, `${JSON.stringify(result, null, 2)}\n`);
  replaceFile(`${file}.html`, htmlPage(result, earlier));
  if (result.overload !== undefined) replaceFile(`${file}.svg`, overloadPicture(result.overload));
  const picture = result.overload === undefined ? '' : ` and ${file}.svg`;
  say(`\nWritten: ${file}.json and ${file}.html${picture}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
