import { CALENDAR_END_MS, DAY_MS, HOUR_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { LATEST_MS } from '../../domain/instant.js';
import { brokenDay, daysOf, isWholeDays, previousRange, reportRange } from './report-range.js';
import { parseWhen, type When } from './when.js';
import { UTC, zoneOf, type Zone } from './zone.js';

const VIENNA = zoneOf('Europe/Vienna') as Zone;
const KOLKATA = zoneOf('Asia/Kolkata') as Zone;
const NOW = Date.UTC(2026, 10, 10, 12, 30);

function range(from: string | null, to: string | null, zone: Zone = UTC) {
  const when = (text: string | null): When | null => (text === null ? null : parseWhen(text));
  return reportRange({ from: when(from), to: when(to) }, zone, NOW);
}
const utc = (text: string): number => Date.parse(text);

describe('the range of a report', () => {
  it('is by default the last seven days of the zone, today included', () => {
    expect(range(null, null)).to.eql({ fromMs: utc('2026-11-04T00:00Z'), toMs: utc('2026-11-11T00:00Z') });
    expect(range(null, null, VIENNA)).to.eql({
      fromMs: utc('2026-11-03T23:00Z'),
      toMs: utc('2026-11-10T23:00Z'),
    });
    expect(range(null, '2026-11-02', VIENNA)).to.eql({
      fromMs: utc('2026-10-26T23:00Z'),
      toMs: utc('2026-11-02T23:00Z'),
    });
  });

  it('has days of the zone, both included, and instants, the end excluded, widened to whole hours', () => {
    expect(range('2026-10-25', '2026-10-25', VIENNA)).to.eql({
      fromMs: utc('2026-10-24T22:00Z'),
      toMs: utc('2026-10-25T23:00Z'),
    });
    expect(range('2026-11-09T18:10:00+01:00', '2026-11-09T20:00:00+01:00')).to.eql({
      fromMs: utc('2026-11-09T17:00Z'),
      toMs: utc('2026-11-09T19:00Z'),
    });
    expect(range(null, '2026-11-09T20:30:00Z')).to.eql({
      fromMs: utc('2026-11-02T21:00Z'),
      toMs: utc('2026-11-09T21:00Z'),
    });
  });

  it('may reach from 1970 to the end of 9999', () => {
    expect(range('1970-01-01', '9999-12-31')).to.eql({ fromMs: 0, toMs: LATEST_MS });
    expect(range('1970-01-01', '1970-01-01', VIENNA)?.fromMs).to.equal(0);
    expect(CALENDAR_END_MS - LATEST_MS).to.equal(1);
  });

  it('is null when it is empty, also within one hour', () => {
    expect(range('2026-11-10', '2026-11-09')).to.equal(null);
    expect(range('2026-11-10T10:30:00Z', '2026-11-10T10:30:00Z')).to.equal(null);
  });
});

describe('the days of a range', () => {
  it('cover it in the zone; the first may begin before it', () => {
    const days = daysOf({ fromMs: utc('2026-03-28T12:00Z'), toMs: utc('2026-03-30T12:00Z') }, VIENNA);
    expect(days?.map(({ name, fromMs }) => [name, new Date(fromMs).toISOString().slice(0, 13)])).to.eql([
      ['2026-03-28', '2026-03-27T23'],
      ['2026-03-29', '2026-03-28T23'],
      ['2026-03-30', '2026-03-29T22'],
    ]);
  });

  it('are too many beyond 1,100', () => {
    const fromMs = utc('2000-01-01T00:00Z') - HOUR_MS;
    expect(daysOf({ fromMs, toMs: fromMs + 1_099 * DAY_MS }, VIENNA)).to.have.length.greaterThan(1_098);
    expect(daysOf({ fromMs, toMs: fromMs + 1_102 * DAY_MS }, VIENNA)).to.equal(null);
  });

  it('show the first one that does not begin at a whole hour of UTC', () => {
    const day = { fromMs: utc('2026-11-09T00:00Z'), toMs: utc('2026-11-10T00:00Z') };
    expect(brokenDay(daysOf(day, KOLKATA) ?? [])).to.eql({
      name: '2026-11-09',
      fromMs: utc('2026-11-08T18:30Z'),
    });
    expect(brokenDay(daysOf(day, VIENNA) ?? [])).to.equal(null);
  });
});

describe('the range before', () => {
  const iso = (found: { fromMs: number; toMs: number } | null) =>
    found === null
      ? null
      : [found.fromMs, found.toMs].map((atMs) => new Date(atMs).toISOString().slice(0, 13));

  it('has as many days of the zone when the range is whole days, also over a change of the clocks', () => {
    const day = range('2026-10-26', '2026-10-26', VIENNA)!;
    expect(isWholeDays(day, VIENNA)).to.equal(true);
    expect(iso(previousRange(day, VIENNA))).to.eql(['2026-10-24T22', '2026-10-25T23']);
    const week = range('2026-03-30', '2026-04-05', VIENNA)!;
    expect(iso(previousRange(week, VIENNA))).to.eql(['2026-03-22T23', '2026-03-29T22']);
  });

  it('has as many hours otherwise, and is null before 1970', () => {
    const evening = range('2026-11-09T18:00:00+01:00', '2026-11-09T20:00:00+01:00')!;
    expect(iso(previousRange(evening, UTC))).to.eql(['2026-11-09T15', '2026-11-09T17']);
    expect(previousRange({ fromMs: DAY_MS, toMs: 3 * DAY_MS }, UTC)).to.equal(null);
  });
});
