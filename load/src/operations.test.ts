import { expect } from 'chai';
import { only, operationAt, parseMix } from './operations.js';

describe('the mix of operations', () => {
  it('is written as shares', () => {
    expect(parseMix('request=60, impression=40')).to.deep.equal({ request: 60, impression: 40 });
  });

  for (const [text, fault] of [
    ['', 'an entry is empty'],
    ['show=1', 'no operation show'],
    ['request', 'the share of request must be a number of 0 or more'],
    ['request=-1', 'the share of request must be a number of 0 or more'],
    ['request=0', 'no share is above 0'],
  ] as const) {
    it(`is refused when it is ${text === '' ? 'empty' : text}`, () => {
      expect(() => parseMix(text)).to.throw(Error, fault);
    });
  }

  it('gives each operation its share of the range', () => {
    const mix = parseMix('request=3,impression=1');
    const at = [0, 0.5, 0.74, 0.75, 0.99, 1].map((point) => operationAt(mix, point));
    expect(at).to.deep.equal(['request', 'request', 'request', 'impression', 'impression', 'impression']);
  });

  it('leaves out operations that a target does not have', () => {
    expect(only(parseMix('request=3,impression=1'), 'serving')).to.deep.equal({ request: 3 });
    expect(only(parseMix('request=3'), 'session')).to.deep.equal({});
  });
});
