// Stryker reads this file once for each folder. start.mjs sets the folder.
const folder = process.env.MUTATED_FOLDER;
const [package_] = folder.split('/');
/** A service may have its domain folders in features. */
const pure = folder === package_ ? `${package_}/src/{domain,*/domain}` : folder;

/** Further tests of a folder, outside of src/, that need no store. */
const MORE_TESTS = { 'serving-service': ['serving-service/test/cases.test.ts'] };

export default {
  testRunner: 'mocha',
  plugins: ['@stryker-mutator/mocha-runner'],
  // The page of the API is HTML, which gateway/test/pages.test.ts checks.
  mutate: [`${pure}/**/*.ts`, '!**/*.test.ts', '!gateway/src/pages/domain/docs-page.ts'],
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
  ignorePatterns: ['/docs', '/deploy', '/load', '/tests', '/.github', 'dist', 'coverage'],
  disableTypeChecks: false,
  reporters: ['dots', 'json', 'html'],
  jsonReporter: { fileName: `.data/mutation/${folder.replaceAll('/', '-')}.json` },
  htmlReporter: { fileName: `.data/mutation/${folder.replaceAll('/', '-')}.html` },
  thresholds: { high: 95, low: 85, break: null },
};
