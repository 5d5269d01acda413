import { expect } from 'chai';
import { textFaults } from './text-faults.js';

describe('the texts of a request', () => {
  const fieldsOf = (value: unknown): readonly string[] => textFaults(value).map(({ field }) => field);

  it('may have every character', () => {
    expect(fieldsOf({ name: 'ä \u{1F600} \u0001 \uffff', list: ['', 1, null, true] })).to.deep.equal([]);
  });

  it('are refused at their place with U+0000 and half of a surrogate pair', () => {
    expect(fieldsOf('a\0')).to.deep.equal(['body']);
    expect(fieldsOf({ a: { b: ['x', 'y\0'] }, c: '\ud800', d: '\udc00x' })).to.deep.equal([
      'a.b[1]',
      'c',
      'd',
    ]);
  });

  it('are refused in names of members', () => {
    expect(fieldsOf({ a: { '\0': 1 } })).to.deep.equal(['a']);
  });
});
