/* global process */
// Mocha loads reporters with `require`. This is mocha's `spec`, which also writes the result of each file for `npm test`.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;
/** Lines of an error that are repeated: its message, where it was thrown, and the difference. */
const ERROR_LINES_MAX = 30;

module.exports = class FileSpec extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const resultsFile = process.env.TEST_RESULTS_FILE;
    if (resultsFile === undefined) return;
    const results = {};
    // A hook outside of every suite belongs to no file.
    const nameOf = ({ file }) => (file === undefined ? 'all files' : path.relative(process.cwd(), file));
    const resultOf = (test) => (results[nameOf(test)] ??= { passed: 0, failures: [], skipped: 0 });
    runner.on(EVENT_TEST_PASS, (test) => (resultOf(test).passed += 1));
    runner.on(EVENT_TEST_PENDING, (test) => (resultOf(test).skipped += 1));
    runner.on(EVENT_TEST_FAIL, (test, error) => resultOf(test).failures.push(describeFailure(test, error)));
    runner.once(EVENT_RUN_END, () => writeFileSync(resultsFile, JSON.stringify(results)));
  }
};

function describeFailure(test, error) {
  // Mocha has made texts of both values by now.
  const hasDiff = typeof error.actual === 'string' && typeof error.expected === 'string';
  const diff = hasDiff ? Mocha.reporters.Base.generateDiff(error.actual, error.expected) : '';
  const lines = `${error.stack ?? error.message}${diff}`.split('\n');
  return [test.fullTitle(), ...lines.slice(0, ERROR_LINES_MAX)].join('\n    ');
}
