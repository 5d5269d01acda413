import { HOUR_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { UTC, zoneOf, type Zone } from './zone.js';

function zone(name: string): Zone {
  const found = zoneOf(name);
  if (found === null) throw new Error(`no zone ${name}`);
  return found;
}

const hoursOf = (of: Zone, day: string): number => (of.beginOf(of.later(day, 1)) - of.beginOf(day)) / HOUR_MS;

describe('the days of a time zone', () => {
  it('begin at its midnight and have 23, 24 or 25 hours', () => {
    const vienna = zone('Europe/Vienna');
    expect(vienna.beginOf('2026-11-10')).to.equal(Date.UTC(2026, 10, 9, 23));
    expect(['2026-03-28', '2026-03-29', '2026-10-25'].map((day) => hoursOf(vienna, day))).to.eql([
      24, 23, 25,
    ]);
    expect(vienna.dayOf(Date.UTC(2026, 9, 24, 22))).to.equal('2026-10-25');
    expect(vienna.dayOf(Date.UTC(2026, 9, 25, 22, 59, 59, 999))).to.equal('2026-10-25');
    expect(vienna.dayOf(Date.UTC(2026, 9, 25, 23))).to.equal('2026-10-26');
    expect(vienna.later('2026-10-25', -30)).to.equal('2026-09-25');
  });

  it('begin later where midnight is skipped', () => {
    expect(zone('America/Santiago').beginOf('2026-09-06')).to.equal(Date.UTC(2026, 8, 6, 4));
    expect(zone('America/Santiago').dayOf(Date.UTC(2026, 8, 6, 4))).to.equal('2026-09-06');
  });

  it('are written with the offset, so that a repeated hour has two texts', () => {
    const vienna = zone('Europe/Vienna');
    expect([0, 1].map((hour) => vienna.write(Date.UTC(2026, 9, 25, hour)))).to.eql([
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
    ]);
    expect(UTC.write(Date.UTC(2026, 9, 25, 1))).to.equal('2026-10-25T01:00:00Z');
  });

  it('are those of UTC to the end of the year 9999', () => {
    expect(UTC.beginOf(UTC.later('9999-12-31', 1))).to.equal(Date.UTC(10_000, 0, 1));
    expect(UTC.beginOf('1970-01-01')).to.equal(0);
  });
});

describe('the name of a time zone', () => {
  it('is one of the IANA database, in any letter case', () => {
    expect(zone('europe/vienna').name).to.equal('Europe/Vienna');
    expect(zone('America/Argentina/Buenos_Aires').isUtc).to.equal(false);
    for (const name of ['UTC', 'utc', 'Etc/UTC']) expect(zone(name).isUtc, name).to.equal(true);
  });

  it('is refused in any other form', () => {
    for (const name of ['', 'Vienna', 'Europe/Wien', '+05:30', 'Europe/Vienna ', 'local', 'system'])
      expect(zoneOf(name), name).to.equal(null);
  });
});
