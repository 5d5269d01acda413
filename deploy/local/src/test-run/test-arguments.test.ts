import { expect } from 'chai';
import { parseTestArguments } from './test-arguments.js';
import { orderTests } from './test-files.js';

describe('arguments of npm test', () => {
  const none = { isAll: false, isStoresOnly: false, files: [], options: [], fault: null };

  it('name files, options of mocha with their values, and the long tests', () => {
    expect(parseTestArguments(['--all', '-g', 'a name', 'gateway/**/*.test.ts', '--bail'])).to.deep.equal({
      ...none,
      isAll: true,
      files: ['gateway/**/*.test.ts'],
      options: ['-g', 'a name', '--bail'],
    });
  });

  it('are all optional', () => {
    expect(parseTestArguments([])).to.deep.equal(none);
  });

  it('may request only the stores', () => {
    expect(parseTestArguments(['--stores'])).to.deep.equal({ ...none, isStoresOnly: true });
  });

  for (const options of [
    ['--parallel'],
    ['-p'],
    ['-bp'],
    ['--jobs', '2'],
    ['--jobs=2'],
    ['-j', '2'],
    ['-j2'],
  ]) {
    it(`are refused when files would share the Redis at the same time: ${options.join(' ')}`, () => {
      expect(parseTestArguments(options).fault).to.match(/Leave out --parallel/);
    });
  }

  it('may have a p or a j in the value of an option', () => {
    expect(parseTestArguments(['-g', '-p', 'a.test.ts']).fault).to.equal(null);
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

  it('include the long ones only with --all', () => {
    expect(orderTests(files, true)).to.include('tests/long/cluster.test.ts');
  });
});
