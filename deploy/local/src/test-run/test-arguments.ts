/** The arguments of `npm test`. */
export interface TestArguments {
  /** Whether to run only the stores, until they are stopped. */
  readonly isStoresOnly: boolean;
  /** Whether to run the long tests too. */
  readonly isAll: boolean;
  /** Files or patterns that the caller named; none: all. */
  readonly files: readonly string[];
  /** Options that are passed to mocha. */
  readonly options: readonly string[];
  /** The fault of the arguments and the remedy; null: none. */
  readonly fault: string | null;
}

/** Options by which mocha runs several files at the same time, also within a group of short ones. */
const PARALLEL = /^(--(parallel|jobs)\b|-[A-Za-z]*[pj])/;
const PARALLEL_FAULT =
  'Tests share one Redis, which each file empties, so they run one after another. Leave out --parallel and --jobs.';

/** Options of mocha whose value is the next argument. */
const WITH_VALUE = new Set([
  '-g',
  '--grep',
  '-f',
  '--fgrep',
  '-t',
  '--timeout',
  '-s',
  '--slow',
  '-R',
  '--reporter',
  '-r',
  '--require',
  '--retries',
]);

/** Reads the arguments of `npm test`. Arguments that are no options name test files. */
export function parseTestArguments(argv: readonly string[]): TestArguments {
  const files: string[] = [];
  const options: string[] = [];
  let isAll = false;
  let isStoresOnly = false;
  let fault: string | null = null;
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '--all') isAll = true;
    else if (argument === '--stores') isStoresOnly = true;
    else if (!argument.startsWith('-')) files.push(argument);
    else {
      if (PARALLEL.test(argument)) fault = PARALLEL_FAULT;
      options.push(argument);
      const value = argv[index + 1];
      if (WITH_VALUE.has(argument) && value !== undefined) {
        options.push(value);
        index += 1;
      }
    }
  }
  return { isAll, isStoresOnly, files, options, fault };
}
