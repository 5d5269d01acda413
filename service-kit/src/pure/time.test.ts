import { expect } from 'chai';
import { CALENDAR_END_MS, DAY_MS, dayOf, dayToIso, hourOf, minuteOf, toIso } from './time.js';

describe('time', () => {
  it('counts days, hours and minutes in UTC, before 1970 too', () => {
    const midnight = Date.UTC(2026, 10, 1);
    expect(dayOf(midnight) - dayOf(midnight - 1)).to.equal(1);
    expect(hourOf(midnight) - hourOf(midnight - 1)).to.equal(1);
    expect(minuteOf(midnight) - minuteOf(midnight - 1)).to.equal(1);
    expect(dayOf(midnight + DAY_MS - 1)).to.equal(dayOf(midnight));
    expect(dayOf(-1)).to.equal(-1);
  });

  it('writes instants with a trailing Z and days without a time', () => {
    expect(toIso(Date.UTC(2026, 10, 1, 0, 0, 0, 5))).to.equal('2026-11-01T00:00:00.005Z');
    expect(dayToIso(dayOf(Date.UTC(2026, 10, 1, 23, 59)))).to.equal('2026-11-01');
    expect([0, dayOf(CALENDAR_END_MS) - 1, dayOf(CALENDAR_END_MS)].map(dayToIso)).to.deep.equal([
      '1970-01-01',
      '9999-12-31',
      '10000-01-01',
    ]);
  });
});
