import { expect } from 'chai';
import { afterPiece, startRowsPass, type RowsPass } from './rows-pass.js';

/** Goes through passes of two pieces. Each text names the identities with faults: `a` and `b` are checked in every piece. */
function through(...pieces: readonly string[]): readonly string[] {
  let pass: RowsPass = startRowsPass();
  return pieces.map((faults, index) => {
    const checks = ['a', 'b'].map((name) => ({
      name,
      faultCount: faults.includes(name) ? 2n : 0n,
      faults: [],
      rows: 9n,
    }));
    const after = afterPiece(pass, { checks, next: index % 2 === 0 ? 'second' : null });
    pass = after.pass;
    return [...after.failed].sort().join('');
  });
}

describe('a repeated check from the rows', () => {
  it('finds no fault in correct books, pass after pass', () => {
    expect(through('', '', '', '')).to.deep.equal(['', '', '', '']);
  });

  it('fails an identity from its first fault until a whole pass is without one', () => {
    expect(through('', 'a', '', '', '', '')).to.deep.equal(['', 'a', 'a', 'a', '', '']);
    expect(through('a', '', '', '', '')).to.deep.equal(['a', 'a', 'a', 'a', '']);
  });

  it('goes on failing while the fault is there, and only that identity', () => {
    expect(through('b', '', 'b', '', 'b', 'a')).to.deep.equal(['b', 'b', 'b', 'b', 'b', 'ab']);
  });

  it('begins with the first piece again after the last', () => {
    const checks = [{ name: 'a', faultCount: 0n, faults: [], rows: 1n }];
    const { pass } = afterPiece(startRowsPass(), { checks, next: '2026-11-10/1' });
    expect(pass.next).to.equal('2026-11-10/1');
    expect(afterPiece(pass, { checks, next: null }).pass.next).to.equal(null);
  });
});
