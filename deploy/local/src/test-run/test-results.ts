/** What became of the tests of one file, as deploy/local/test-reporter.cjs writes it. */
export interface FileResult {
  readonly passed: number;
  /** Each failed test or hook: its full name, and its error on the lines below. */
  readonly failures: readonly string[];
  readonly skipped: number;
}

/** Results by test file, relative to the repository. */
export type FileResults = Readonly<Record<string, FileResult>>;

/** With more failed files than these, the change is at fault and not the busy machine. */
const REPEATED_FILES_MAX = 5;

/** The sum over all files. */
export function sumResults(results: FileResults): FileResult {
  const all = Object.values(results);
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failures: all.flatMap(({ failures }) => failures),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** The files to run once more, alone. None when no file failed, or too many, or when a whole lane did not complete. */
export function filesToRepeat(results: FileResults): readonly string[] {
  const failed = Object.keys(results).filter((file) => (results[file]?.failures.length ?? 0) > 0);
  const isRepeatable = failed.length <= REPEATED_FILES_MAX && failed.every((file) => file.endsWith('.ts'));
  return isRepeatable ? failed : [];
}
