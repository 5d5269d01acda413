import { DAY_MS, dayOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { monthFrom, monthOf, monthText, openReason, type MonthState } from './month.js';

const day = (text: string): number => dayOf(Date.parse(`${text}T00:00:00Z`));
const november = { fromDay: day('2026-11-01'), toDay: day('2026-12-01') };
const AFTER_MS = Date.parse('2026-12-01T00:00:00Z');
const READY: MonthState = {
  closed: null,
  firstOpenDay: day('2026-11-01'),
  firstBookedDay: day('2026-09-17'),
  waiting: 0,
};

describe('a month of the books', () => {
  it('begins on its first day and ends before the first day of the next', () => {
    expect(monthFrom(day('2026-11-01'))).to.deep.equal(november);
    expect(monthFrom(day('2026-12-01'))?.toDay).to.equal(day('2027-01-01'));
    expect(monthFrom(day('2028-02-01'))?.toDay).to.equal(day('2028-03-01'));
    for (const wrong of [day('2026-11-02'), -31, 0.5, Number.NaN, 2 ** 53])
      expect(monthFrom(wrong), String(wrong)).to.equal(null);
    expect(monthOf(day('2026-11-30'))).to.deep.equal(november);
    expect(monthText(november)).to.equal('2026-11');
  });

  it('can be closed when it is over, the first open one, and settled', () => {
    expect(openReason(november, READY, AFTER_MS)).to.equal(null);
    expect(openReason(november, READY, AFTER_MS + 400 * DAY_MS)).to.equal(null);
    expect(openReason(november, READY, AFTER_MS - 1)).to.contain('not over');
    expect(openReason(november, { ...READY, waiting: 1 }, AFTER_MS)).to.contain('1 accepted event of');
    expect(openReason(november, { ...READY, waiting: 2 }, AFTER_MS)).to.contain('2 accepted events of');
  });

  it('is closed after the one before it; the first is that of the first booking', () => {
    const first = { ...READY, firstOpenDay: null };
    expect(openReason(november, first, AFTER_MS)).to.contain('2026-09 is open');
    expect(openReason(november, { ...READY, firstOpenDay: day('2026-10-01') }, AFTER_MS)).to.contain(
      '2026-10 is open',
    );
    expect(openReason(monthOf(day('2026-09-01')), first, AFTER_MS)).to.equal(null);
    expect(openReason(monthOf(day('2026-08-01')), first, AFTER_MS)).to.contain('begin in 2026-09');
    const later = { ...READY, firstBookedDay: day('2026-10-31') };
    expect(openReason(monthOf(day('2026-09-01')), later, AFTER_MS)).to.contain('begin in 2026-10');
    expect(openReason(november, { ...first, firstBookedDay: null }, AFTER_MS)).to.contain('empty');
  });
});
