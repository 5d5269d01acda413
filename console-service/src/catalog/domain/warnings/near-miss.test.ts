import { expect } from 'chai';
import { isNearMiss } from './near-miss.js';

describe('two ids look like one with a typing mistake', () => {
  const pairs = (isMiss: boolean, ids: readonly (readonly [string, string])[]): void => {
    for (const [left, right] of ids) {
      expect(isNearMiss(left, right), `${left} ${right}`).to.equal(isMiss);
      expect(isNearMiss(right, left), `${right} ${left}`).to.equal(isMiss);
    }
  };

  it('when one letter is missing, different or swapped with its neighbour', () => {
    pairs(true, [
      ['cmp_fjord_baner', 'cmp_fjord_banner'],
      ['cmp_spring', 'cmp_sprint'],
      ['cmp_spring', 'cmp_sprign'],
      ['adv_northwind', 'dv_northwind'],
      ['adv_northwind', 'adv_northwin'],
    ]);
  });

  it('and not when they differ in more, or are the same', () => {
    pairs(false, [
      ['cmp_spring', 'cmp_spring'],
      ['cmp_spring', 'cmp_summer'],
      ['cmp_north', 'cmp_south'],
      ['cmp_spring', 'cmp_springer'],
      ['cmp_spring', 'cmp_rspnig'],
    ]);
  });

  it('and not when they are a series: by a digit, a part of one letter, or a part more', () => {
    pairs(false, [
      ['cmp_spring1', 'cmp_spring2'],
      ['cmp_spring', 'cmp_spring2'],
      ['cmp_spring_a', 'cmp_spring_b'],
      ['cmp_a_spring', 'cmp_b_spring'],
      ['cmp_springsale', 'cmp_spring_sale'],
    ]);
  });
});
