import { expect } from 'chai';
import { Faults, FAULTS_MAX } from './faults.js';

describe('the faults of a catalog file', () => {
  it('are none at first', () => {
    const faults = new Faults();
    expect(faults.isEmpty()).to.equal(true);
    expect(faults.list()).to.deep.equal([]);
  });

  it('are listed in the order in which they were found, each in one line with its path', () => {
    const faults = new Faults();
    faults.add('publishers[0].name', 'must not be empty');
    faults.add('', 'is a\nlist');
    expect(faults.isEmpty()).to.equal(false);
    expect(faults.list()).to.deep.equal(['publishers[0].name: must not be empty', 'file: is a\\nlist']);
  });

  it('show the first 300 characters of a path', () => {
    const faults = new Faults();
    faults.add('x'.repeat(300), 'unknown key');
    faults.add('x'.repeat(301), 'unknown key');
    expect(faults.list()).to.deep.equal([
      `${'x'.repeat(300)}: unknown key`,
      `${'x'.repeat(300)}…: unknown key`,
    ]);
  });

  it('are counted where there are more than 500', () => {
    const faults = new Faults();
    for (let at = 0; at < FAULTS_MAX; at += 1) faults.add(`a${at}`, 'unknown key');
    expect(faults.list()).to.have.length(500);
    faults.add('b', 'unknown key');
    faults.add('c', 'unknown key');
    expect(faults.list()).to.have.length(501);
    expect(faults.list().at(-2)).to.equal('a499: unknown key');
    expect(faults.list().at(-1)).to.equal('file: 2 more faults are not listed');
  });

  it('go on from what was found before, and leave that as it was', () => {
    const before = new Faults({ lines: ['a: x'], more: 0 });
    const after = new Faults(before.parts());
    after.add('b', 'y');
    expect(after.list()).to.deep.equal(['a: x', 'b: y']);
    expect(before.list()).to.deep.equal(['a: x']);
    expect(new Faults({ lines: [], more: 3 }).parts()).to.deep.equal({ lines: [], more: 3 });
  });
});
