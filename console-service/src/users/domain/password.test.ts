import { expect } from 'chai';
import { readPassword } from './password.js';

const isTaken = (raw: string): boolean => 'password' in readPassword(raw);

describe('a password', () => {
  it('has 12 to 128 characters, counted in code points', () => {
    expect([11, 12, 128, 129].map((count) => isTaken('x'.repeat(count)))).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
    expect([11, 12, 128, 129].map((count) => isTaken('😀'.repeat(count)))).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
    expect(isTaken('x'.repeat(1_000_000))).to.equal(false);
  });

  it('is the same from every keyboard: its spelling is composed', () => {
    expect(readPassword('Bl\u0061\u0308tterteig')).to.deep.equal(readPassword('Bl\u00e4tterteig'));
  });

  it('needs no digit, no capital and no sign', () => {
    expect(isTaken('correct horse battery staple')).to.equal(true);
  });

  it('does not hold half of a surrogate pair', () => {
    expect(readPassword('twelve chars\ud800')).to.deep.equal({
      fault: 'must not hold half of a surrogate pair',
    });
  });
});
