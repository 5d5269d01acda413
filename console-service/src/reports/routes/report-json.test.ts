import { HOUR_MS, toIso } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { NO_FIGURES } from '../domain/figures.js';
import type { Report } from '../usecase/get-report.js';
import { toReport } from './report-json.js';

/** A report of so many hours in Vienna. */
function reportOf(hours: number): Report {
  const row = { figures: NO_FIGURES, previous: null };
  return {
    by: ['hour'],
    asOfMs: 0,
    fromMs: 0,
    toMs: hours * HOUR_MS,
    zone: 'Europe/Vienna',
    previousRange: null,
    rows: Array.from({ length: hours }, (_, hour) => ({ ...row, keys: [toIso(hour * HOUR_MS)] })),
    total: row,
    names: new Map(),
  };
}

describe('a report as JSON', () => {
  const { DateTimeFormat } = Intl;
  let madeCount: number;
  beforeEach(() => {
    madeCount = 0;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct(target, args: ConstructorParameters<typeof DateTimeFormat>) {
        madeCount += 1;
        return new target(...args);
      },
    });
  });
  afterEach(() => {
    Intl.DateTimeFormat = DateTimeFormat;
  });

  it('has its hours in the zone of the report', () => {
    const { rows } = toReport(reportOf(2), 'USD');
    expect(rows.map(({ hour }) => hour)).to.deep.equal([
      '1970-01-01T01:00:00+01:00',
      '1970-01-01T02:00:00+01:00',
    ]);
  });

  it('looks its zone up once, however many rows it has, because that blocks the process', () => {
    toReport(reportOf(1), 'USD');
    madeCount = 0;
    toReport(reportOf(1), 'USD');
    const madeForOne = madeCount;
    madeCount = 0;
    toReport(reportOf(100), 'USD');
    expect(madeCount).to.equal(madeForOne);
  });
});
