// Stryker reads this file once for each folder. start.mjs sets the folder, its files (none: all) and the report's path.
const { MUTATED_FOLDER: folder, MUTATED_FILES: files, MUTATION_REPORT: report } = process.env;
const [package_] = folder.split('/');
/** A service may have its domain folders in features. */
const pure = folder === package_ ? `${package_}/src/{domain,*/domain}` : folder;

/** Further tests of a folder. Those of fraud-service need a Redis, because its rules decide in Lua. */
const MORE_TESTS = {
  'fraud-service': ['fraud-service/test/fraud-rules.test.ts', 'fraud-service/test/session-counters.test.ts'],
  'serving-service': ['serving-service/test/cases.test.ts'],
  'console-service': [
    'console-service/src/catalog/file/refused-files.test.ts',
    'console-service/src/catalog/rpc/wire.test.ts',
  ],
};

export default {
  testRunner: 'mocha',
  plugins: ['@stryker-mutator/mocha-runner'],
  // The page of the API is HTML, which gateway/test/pages.test.ts checks.
  mutate: [
    ...(files ? files.split(',') : [`${pure}/**/*.ts`]),
    '!**/*.test.ts',
    '!gateway/src/pages/domain/docs-page.ts',
  ],
  mochaOptions: {
    spec: [
      `${pure}/**/*.test.ts`,
      `${package_}/src/{usecase,*/usecase}/**/*.test.ts`,
      ...(MORE_TESTS[folder] ?? []),
    ],
    'no-config': true,
  },
  testRunnerNodeArgs: ['--import', 'tsx', '--conditions=source'],
  coverageAnalysis: 'perTest',
  // Constants of a module are evaluated once, so each change of one would need a run of all tests.
  ignoreStatic: true,
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
  tempDirName: '.data/mutation/work',
  ignorePatterns: ['/deploy', '/load', '/tests', '/.github', 'dist', 'coverage'],
  disableTypeChecks: false,
  reporters: ['dots', 'json', 'html'],
  jsonReporter: { fileName: `${report}.json` },
  htmlReporter: { fileName: `${report}.html` },
  thresholds: { high: 95, low: 85, break: null },
};
