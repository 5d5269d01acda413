import { expect } from 'chai';
import { parseTestArguments } from './test-arguments.js';
import { groupTests } from './test-files.js';

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

  it('are those of each service, beside units and then the whole product', () => {
    expect(groupTests(files, false)).to.deep.equal([
      [
        ['gateway/test/http.test.ts', 'deploy/local/src/b.test.ts'],
        ['gateway/src/domain/a.test.ts', 'tests/tidy.test.ts', 'tests/conformance/events.test.ts'],
      ],
    ]);
  });

  it('include the long ones only with --all; those that measure times run alone and last', () => {
    const [, long, alone] = groupTests([...files, 'tests/long/outages.test.ts'], true);
    expect(long).to.deep.equal([[], ['tests/long/outages.test.ts']]);
    expect(alone).to.deep.equal([['tests/long/cluster.test.ts']]);
  });
});
