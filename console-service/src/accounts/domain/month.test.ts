import { expect } from 'chai';
import { readMonth } from './month.js';

const dayOf = (text: string): number => Date.parse(text) / 86_400_000;

describe('a month', () => {
  it('is its UTC days, up to the first of the next month', () => {
    expect(readMonth('2026-11')).to.deep.equal({ fromDay: dayOf('2026-11-01'), toDay: dayOf('2026-12-01') });
    expect(readMonth('2026-12')).to.deep.equal({ fromDay: dayOf('2026-12-01'), toDay: dayOf('2027-01-01') });
    expect(readMonth('2028-02')).to.deep.equal({ fromDay: dayOf('2028-02-01'), toDay: dayOf('2028-03-01') });
    expect(readMonth('1970-01')).to.deep.equal({ fromDay: 0, toDay: 31 });
  });

  it('is none before 1970, and in no other spelling', () => {
    for (const text of [
      '1969-12',
      '2026-00',
      '2026-13',
      '2026-1',
      '26-11',
      '2026-011',
      '2026-11-01',
      ' 2026-11',
      '12026-11',
      '2026-20',
      '',
    ])
      expect(readMonth(text), text).to.equal(null);
  });
});
