import { expect } from 'chai';
import { referenceFault } from './deposit-rules.js';

describe('a reference of a booking', () => {
  it('is a text that may have spaces inside', () => {
    for (const reference of ['R-1', 'Invoice 7, November', 'Überweisung №7', 'r'.repeat(128)]) {
      expect(referenceFault(reference), reference).to.equal(null);
    }
  });

  it('has nothing around it that cannot be seen, so that what looks the same is the same', () => {
    for (const reference of [' R-1', 'R-1 ', '\u00a0R-1', 'R-1\u3000', '\ufeffR-1', 'R-1\u200b', '\u200b']) {
      expect(referenceFault(reference), JSON.stringify(reference)).to.equal(
        'the reference begins or ends with white space or an invisible character',
      );
    }
  });

  it('is not empty, not longer than 128 characters and without control characters', () => {
    expect(referenceFault('')).to.equal('the reference is empty');
    expect(referenceFault('  ')).to.equal('the reference is empty');
    expect(referenceFault('r'.repeat(129))).to.equal('the reference has more than 128 characters');
    for (const reference of ['R-1\n', '\tR-1', 'R\u0000-1', 'R-1\u0085', 'R\ud800']) {
      expect(referenceFault(reference), JSON.stringify(reference)).to.equal(
        'the reference holds control characters',
      );
    }
  });
});
