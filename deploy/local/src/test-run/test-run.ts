import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openDataFolder, toolCacheDir, type DataFolder } from '../data-folder.js';
import { Fleet } from '../fleet.js';
import { builtLayout, rootDir } from '../layout.js';
import { choosePorts } from '../ports.js';
import { ProcessList } from '../process/process-list.js';
import { openWatchdog } from '../process/watchdog-client.js';
import { makeSay } from '../say.js';
import { StartError } from '../start-error.js';
import { listenForStop, stopWished, StopRequested, unlessStopped } from '../stop-request.js';
import { openStores, type Stores } from '../stores/stores.js';
import { parseTestArguments, type TestArguments } from './test-arguments.js';
import { testFiles, type Lane } from './test-files.js';
import { filesToRepeat, sumResults, type FileResults } from './test-results.js';

const EXIT_USAGE = 2;
const EXIT_STOPPED = 130;
const STATUS_MAX = 99;
/** Longest time until the output of a lane that has ended is complete, in milliseconds. */
const OUTPUT_MS_MAX = 2_000;
/** More than a lane writes while another one is shown. */
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;
/** Longest time until mocha ends after a signal, in milliseconds. */
const STOP_MS_MAX = 5_000;

process.exit(await main());

async function main(): Promise<number> {
  const args = parseTestArguments(process.argv.slice(2));
  if (args.fault !== null) {
    process.stderr.write(`${args.fault}\n`);
    return EXIT_USAGE;
  }
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-test-'));
  chmodSync(dir, 0o711);
  try {
    return await runTests(openDataFolder(dir), args);
  } catch (error) {
    if (error instanceof StopRequested) return EXIT_STOPPED;
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Starts throw-away stores, runs the tests on them, stops everything and prints the counts. Returns the exit status. */
async function runTests(folder: DataFolder, args: TestArguments): Promise<number> {
  const say = makeSay();
  const listFile = folder.at('processes.json');
  const list = new ProcessList(listFile, (reason) => say.warn(`${listFile} cannot be written: ${reason}`));
  const stopping = listenForStop(() => {
    list.killAll();
    process.exit(EXIT_STOPPED);
  });
  const fleet = new Fleet({ say, list, stopping, fleet: [] });
  const watchdog = openWatchdog(list, listFile, builtLayout.watchdogArgs);
  let results: FileResults;
  try {
    const groups = args.files.length > 0 ? [[args.files]] : testFiles(rootDir, args.isAll);
    const laneCount = args.isStoresOnly ? 1 : Math.max(...groups.map((lanes) => lanes.length));
    const stores = await unlessStopped(stopping, openLaneStores(folder, fleet, laneCount));
    if (args.isStoresOnly) return await keepStores(stores[0], stopping);
    results = await runGroups(args, groups, { stores, folder, list, stopping });
  } finally {
    await fleet.stop();
    await watchdog.close();
  }
  if (stopping.aborted) throw new StopRequested();
  const sum = sumResults(results);
  // With several lanes, the details of a failure are far above.
  for (const failure of sum.failures) process.stdout.write(`failed: ${failure}\n`);
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
  process.stdout.write(`${sum.passed} passed, ${sum.failures.length} failed${skipped}\n`);
  return Math.min(sum.failures.length, STATUS_MAX);
}

/** At least the stores of the first lane. */
type LaneStores = readonly [Stores, ...Stores[]];

interface Run {
  /** By lane. */
  readonly stores: LaneStores;
  readonly folder: DataFolder;
  readonly list: ProcessList;
  readonly stopping: AbortSignal;
}

/**
 * Runs the groups of tests one after another, and the lanes of each at the same time. A few files that failed run once more,
 * alone: on a machine that was busy with other things an answer may have come too late. Only the second result counts.
 */
async function runGroups(
  args: TestArguments,
  groups: readonly (readonly Lane[])[],
  run: Run,
): Promise<FileResults> {
  let results: FileResults = {};
  for (const lanes of groups) {
    if (run.stopping.aborted) return results;
    results = { ...results, ...(await runLanes(args, lanes, run)) };
  }
  const repeated = args.files.length === 0 ? filesToRepeat(results) : [];
  if (repeated.length === 0 || run.stopping.aborted) return results;
  for (const failure of sumResults(results).failures) process.stdout.write(`failed at first: ${failure}\n`);
  process.stdout.write(`Once more, alone: ${repeated.join(', ')}\n`);
  return { ...results, ...(await runLanes(args, [repeated], run)) };
}

async function runLanes(args: TestArguments, lanes: readonly Lane[], run: Run): Promise<FileResults> {
  const running = lanes.map((files, lane) => runLane(args, files, lane, run));
  let results: FileResults = {};
  for (const { show, ended } of running) {
    show();
    results = { ...results, ...(await ended) };
  }
  return results;
}

interface RunningLane {
  /** Prints what the lane has written, and from then on what it writes. */
  readonly show: () => void;
  readonly ended: Promise<FileResults>;
}

function runLane(args: TestArguments, files: Lane, lane: number, run: Run): RunningLane {
  const { stores, folder, list, stopping } = run;
  const resultsFile = folder.at(`results-${lane}.json`);
  rmSync(resultsFile, { force: true });
  const child = startMocha(args, files, { ...(stores[lane] ?? stores[0]), resultsFile });
  if (child.pid !== undefined)
    list.add({ name: 'mocha', kind: 'service', pid: child.pid, stopSignal: 'SIGINT' });
  const output = new PassThrough({ highWaterMark: OUTPUT_BYTES_MAX });
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream?.pipe(output, { end: false });
  return {
    show: () => void output.pipe(process.stdout, { end: false }),
    ended: untilExit(child, stopping).then(async (status) => {
      // What a process that a test left behind writes later is nobody's.
      for (const stream of streams) stream?.unpipe(output);
      output.end();
      await finished(output);
      return readResults(resultsFile, lane, status);
    }),
  };
}

/** Each lane has stores of its own: tests also fill up, reconfigure and disconnect them. */
async function openLaneStores(folder: DataFolder, fleet: Fleet, count: number): Promise<LaneStores> {
  const stores: [Stores, ...Stores[]] = [await openTestStores(folder, fleet)];
  for (let lane = 1; lane < count; lane += 1) {
    stores.push(await openTestStores(openDataFolder(folder.at(`lane-${lane}`)), fleet));
  }
  return stores;
}

async function openTestStores(folder: DataFolder, fleet: Fleet): Promise<Stores> {
  const ports = await choosePorts(folder.at('ports.json'), ['postgres', 'redis']);
  return openStores(
    {
      folder,
      env: {},
      cacheDir: toolCacheDir(rootDir, folder),
      isDurable: false,
      postgresPort: ports.postgres,
      redisPort: ports.redis,
      redisCluster: null,
      postgresPassword: randomBytes(16).toString('hex'),
      redisPassword: null,
    },
    fleet.around,
  );
}

/** Prints the variables for tests on the stores, and keeps the stores until they are stopped. */
async function keepStores(stores: Stores, stopping: AbortSignal): Promise<number> {
  process.stdout.write(
    'Stores for tests; Ctrl-C stops them. Paste this into another terminal, then run: npx mocha --exit FILE\n' +
      `export TEST_DATABASE_URL='${stores.databaseUrl}' TEST_REDIS_URL='${stores.redisUrl}'\n`,
  );
  await stopWished(stopping);
  return 0;
}

function startMocha(
  args: TestArguments,
  files: Lane,
  run: Stores & { readonly resultsFile: string },
): ChildProcess {
  const mocha = path.join(
    path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')),
    'bin',
    'mocha.js',
  );
  const reporter = path.join(rootDir, 'deploy', 'local', 'test-reporter.cjs');
  const env = {
    ...process.env,
    // Tests that start Node.js themselves get the same one.
    PATH: [path.dirname(process.execPath), process.env['PATH'] ?? ''].join(path.delimiter),
    TEST_DATABASE_URL: run.databaseUrl,
    TEST_REDIS_URL: run.redisUrl,
    TEST_RESULTS_FILE: run.resultsFile,
  };
  const options = ['--exit', '--reporter', reporter, ...(process.stdout.isTTY ? ['--color'] : [])];
  return spawn(process.execPath, [mocha, ...options, ...args.options, ...files], {
    cwd: rootDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Mocha's status. On a stop request mocha gets a signal, and is killed when it does not end. */
function untilExit(child: ChildProcess, stopping: AbortSignal): Promise<number> {
  const stop = (): void => {
    // Mocha runs the tests in a child process, and passes only SIGINT on.
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX).unref();
  };
  stopping.addEventListener('abort', stop, { once: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (status, signal) => {
      const code = status ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      child.once('close', () => resolve(code));
      // A process that a test left behind may hold its output open.
      setTimeout(() => resolve(code), OUTPUT_MS_MAX);
    });
  });
}

/** What the reporter wrote. A lane that did not come to its end has a failure of its own. */
function readResults(file: string, lane: number, status: number): FileResults {
  let results: FileResults = {};
  try {
    results = JSON.parse(readFileSync(file, 'utf8')) as FileResults;
    if (status === 0 || sumResults(results).failures.length > 0) return results;
  } catch {
    // Without results, mocha did not come to its end.
  }
  const failure = `The tests of lane ${lane} did not complete (status ${status}).`;
  return { ...results, [`lane ${lane}`]: { passed: 0, failures: [failure], skipped: 0 } };
}
