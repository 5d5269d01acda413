// Read by Stryker, once for each folder; start.mjs says which.
const folder = process.env.MUTATED_FOLDER;
const [package_] = folder.split('/');
/** A service may have its domain folders in features. */
const pure = folder === package_ ? `${package_}/src/{domain,*/domain}` : folder;

/** Tests outside of src/ that need no store and judge what a folder decides. */
const MORE_TESTS = { 'serving-service': ['serving-service/test/cases.test.ts'] };

export default {
  testRunner: 'mocha',
  plugins: ['@stryker-mutator/mocha-runner'],
  // The page of the API is HTML; gateway/test/pages.test.ts looks at the page that a browser gets.
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
  // A constant of a module cannot be changed for one test alone; each would take a run of all tests.
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
