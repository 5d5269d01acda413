import { expect } from 'chai';
import { readTyped } from './typed-text.js';

describe('a text that an operator types', () => {
  const lengths = [
    ['reference', 128],
    ['reason', 500],
    ['account', 128],
    ['advertiser', 64],
  ] as const;
  for (const [what, charsMax] of lengths) {
    it(`has at most ${charsMax} characters where it is a ${what}`, () => {
      expect(readTyped(what, 'x'.repeat(charsMax))).to.deep.equal({ text: 'x'.repeat(charsMax) });
      expect(readTyped(what, 'x'.repeat(charsMax + 1))).to.deep.equal({
        fault: `the ${what} must have at most ${charsMax} characters`,
      });
    });
  }

  it('is read in its one spelling, and refused by name', () => {
    expect(readTyped('reason', 'e\u0301')).to.deep.equal({ text: '\u00e9' });
    expect(readTyped('reason', '')).to.deep.equal({ fault: 'the reason must not be empty' });
  });
});
