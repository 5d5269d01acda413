/* global process */
// Mocha loads reporters with `require`. This is mocha's `spec`, which also writes the counts and the failures for the last lines of `npm test`.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL } = Mocha.Runner.constants;
/** Lines of an error that are repeated: its message, where it was thrown, and the difference. */
const ERROR_LINES_MAX = 30;

module.exports = class CountingSpec extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      // Mocha has made texts of both values by now.
      const hasDiff = typeof error.actual === 'string' && typeof error.expected === 'string';
      const diff = hasDiff ? Mocha.reporters.Base.generateDiff(error.actual, error.expected) : '';
      const lines = `${error.stack ?? error.message}${diff}`.split('\n');
      failures.push([test.fullTitle(), ...lines.slice(0, ERROR_LINES_MAX)].join('\n    '));
    });
    runner.once(EVENT_RUN_END, () => {
      const file = process.env.TEST_COUNTS_FILE;
      if (file === undefined) return;
      const { passes, failures: failed, pending } = runner.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed, skipped: pending, failures }));
    });
  }
};
