/** What `npm test` was asked to do. */
export interface TestArguments {
  /** The long tests too. */
  readonly isAll: boolean;
  /** Files or patterns that the caller named; none: all. */
  readonly files: readonly string[];
  /** Options that mocha gets as they are. */
  readonly options: readonly string[];
}

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
  '-j',
  '--jobs',
  '--retries',
]);

/** Reads the arguments of `npm test`: what is neither ours nor an option of mocha names test files. */
export function parseTestArguments(argv: readonly string[]): TestArguments {
  const files: string[] = [];
  const options: string[] = [];
  let isAll = false;
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '--all') isAll = true;
    else if (!argument.startsWith('-')) files.push(argument);
    else {
      options.push(argument);
      const value = argv[index + 1];
      if (WITH_VALUE.has(argument) && value !== undefined) {
        options.push(value);
        index += 1;
      }
    }
  }
  return { isAll, files, options };
}
