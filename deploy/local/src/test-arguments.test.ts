import { expect } from 'chai';
import { parseTestArguments } from './test-arguments.js';
import { orderTests } from './test-files.js';

describe('arguments of npm test', () => {
  it('name files, options of mocha with their values, and the long tests', () => {
    expect(parseTestArguments(['--all', '-g', 'a name', 'gateway/**/*.test.ts', '--bail'])).to.deep.equal({
      isAll: true,
      files: ['gateway/**/*.test.ts'],
      options: ['-g', 'a name', '--bail'],
    });
  });

  it('may be none', () => {
    expect(parseTestArguments([])).to.deep.equal({ isAll: false, files: [], options: [] });
  });
});

describe('the files that npm test runs', () => {
  const files = [
    'tests/long/cluster.test.ts',
    'tests/conformance/events.test.ts',
    'tests/tidy.test.ts',
    'gateway/test/http.test.ts',
    'gateway/src/domain/a.test.ts',
    'deploy/local/src/b.test.ts',
    'gateway/src/domain/a.ts',
    'load/x.test.ts',
  ];

  it('are unit tests, then tests of a service, then those of the whole product', () => {
    expect(orderTests(files, false)).to.deep.equal([
      'gateway/src/domain/a.test.ts',
      'gateway/test/http.test.ts',
      'deploy/local/src/b.test.ts',
      'tests/tidy.test.ts',
      'tests/conformance/events.test.ts',
    ]);
  });

  it('include the long ones only when asked', () => {
    expect(orderTests(files, true)).to.include('tests/long/cluster.test.ts');
  });
});
