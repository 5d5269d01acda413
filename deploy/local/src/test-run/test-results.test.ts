import { expect } from 'chai';
import { filesToRepeat, sumResults, type FileResults } from './test-results.js';

const passed = { passed: 2, failures: [], skipped: 1 };
const failed = { passed: 1, failures: ['a test: its error'], skipped: 0 };

describe('the results of npm test', () => {
  it('are summed over all files', () => {
    expect(sumResults({ 'a.test.ts': passed, 'b.test.ts': failed })).to.deep.equal({
      passed: 3,
      failures: ['a test: its error'],
      skipped: 1,
    });
  });

  it('name the files to run once more: those with a failure', () => {
    expect(filesToRepeat({ 'a.test.ts': passed, 'b.test.ts': failed })).to.deep.equal(['b.test.ts']);
  });

  it('name none when more than five files failed', () => {
    const files = (count: number): FileResults =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.test.ts`, failed]));
    expect(filesToRepeat(files(5))).to.have.length(5);
    expect(filesToRepeat(files(6))).to.deep.equal([]);
  });

  it('name none when a lane did not complete', () => {
    expect(filesToRepeat({ 'a.test.ts': failed, 'lane 0': failed })).to.deep.equal([]);
  });
});
