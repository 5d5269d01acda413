import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCompare } from './compare.js';
import { describeMachine } from './measure/machine.js';
import { TARGETS } from './operations.js';
import { HELP, parseLoadOptions, type LoadOptions } from './options.js';
import { htmlPage } from './report/html.js';
import { earlierFigures, readResult, RESULT_VERSION, type RunResult } from './report/run-result.js';
import { compareLines, targetLines } from './report/text.js';
import { runTarget, type TargetResult } from './run-target.js';

const EXIT_USAGE = 2;

/** Runs the load command; answers the exit status: 1 when an answer was not as the contract promises. */
export async function runLoad(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    say(HELP);
    return 0;
  }
  let options: LoadOptions;
  try {
    options = parseLoadOptions(argv);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return EXIT_USAGE;
  }
  try {
    return await load(options);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

async function load(options: LoadOptions): Promise<number> {
  const earlier = options.compare === null ? null : readResult(options.compare);
  const machine = describeMachine();
  const startedAt = new Date().toISOString();
  say(
    `Node.js ${machine.node}, ${machine.cores} cores of ${machine.cpu}, load ${machine.loadBefore.join(' ')}`,
  );
  const comparison = options.target === 'compare' ? await runCompare(options, say) : null;
  if (comparison !== null) for (const line of compareLines(comparison)) say(line);
  const targets: TargetResult[] = [];
  for (const target of TARGETS) {
    if (options.target !== target && options.target !== 'all') continue;
    const result = await runTarget(target, options, say);
    targets.push(result);
    for (const line of targetLines(result, earlierFigures(earlier, target))) say(line);
  }
  write({ version: RESULT_VERSION, startedAt, machine, options, targets, comparison }, earlier);
  return targets.some(({ figures }) => figures.operations[0]?.unexpected !== 0) ? 1 : 0;
}

function write(result: RunResult, earlier: RunResult | null): void {
  mkdirSync(result.options.outDir, { recursive: true });
  const name = `${result.startedAt.replaceAll(':', '-').slice(0, 19)}-${result.options.target}`;
  const file = path.resolve(result.options.outDir, name);
  writeFileSync(`${file}.json`, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(`${file}.html`, htmlPage(result, earlier));
  say(`\nWritten: ${file}.json and ${file}.html`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
