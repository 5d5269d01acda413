import { expect } from 'chai';
import { unreadableArgument, unreadableFault } from './utf8.js';

describe('text that Node made of bytes that are not UTF-8', () => {
  it('is refused with the place of the first such character', () => {
    expect(unreadableFault('R\ufffdf\ufffd')).to.equal('is not UTF-8 at its character 2');
    expect(unreadableFault('😀\ufffd')).to.equal('is not UTF-8 at its character 2');
    expect(unreadableFault('Réf 😀')).to.equal(null);
  });

  it('is refused in a command line with the number of its argument', () => {
    expect(unreadableArgument(['--out', 'f\ufffd'])).to.match(
      /^2 is not UTF-8 at its character 2\. Type it in a terminal /,
    );
    expect(unreadableArgument(['--out', 'f'])).to.equal(null);
    expect(unreadableArgument([])).to.equal(null);
  });
});
