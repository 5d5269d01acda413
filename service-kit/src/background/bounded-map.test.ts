import { expect } from 'chai';
import { makeBoundedMap } from './bounded-map.js';

describe('a bounded map', () => {
  it('holds no more than its bound: what was not used for the longest time makes room', () => {
    const map = makeBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).to.deep.equal([1, undefined, 3, 2]);
  });
});
