import { expect } from 'chai';
import { amountNanos, amountText, plainDecimal, significantDigits } from './decimal.js';
import { instantText, parseDay, parseInstant } from '../../domain/instant.js';

describe('decimals', () => {
  const SPELLINGS: readonly (readonly [string, string | null])[] = [
    ['2.50', '2.50'],
    ['+2.5', '2.5'],
    ['-0.1', '-0.1'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e-06', '0.000001'],
    ['12.5e-1', '1.25'],
    ['2.5e3', '2500'],
    ['1e3', '1000'],
    ['5.e2', '500'],
    ['-5e-1', '-0.5'],
    ['+.50', '0.5'],
    ['0e5', '0'],
    ['00.5e1', '5'],
    ['120e-1', '12'],
    ['1.2500e1', '12.5'],
    ['1e+2', '100'],
    ['1E2', '100'],
    ['12e-2', '0.12'],
    ['12e-3', '0.012'],
    ['1.5e0', '1.5'],
    ['.5e0', '0.5'],
    ['.5e1', '5'],
    ['-.5', '-0.5'],
    ['0'.repeat(100), '0'.repeat(100)],
    ['0'.repeat(101), null],
    ['1e999', `1${'0'.repeat(999)}`],
    ['1e1000', null],
    ['1e', null],
    ['e1', null],
    ['--1', null],
    ['1 ', null],
    [' 1', null],
    ['1.2.3', null],
    ['1e1.5', null],
    ['Infinity', null],
    ['1_000', null],
    ['', null],
    ['.', null],
  ];
  for (const [written, decimal] of SPELLINGS) {
    it(`${JSON.stringify(written).slice(0, 60)} is ${decimal?.slice(0, 60) ?? 'none'}`, () => {
      expect(plainDecimal(written)).to.equal(decimal);
    });
  }

  it('have significant digits that are counted without leading and trailing zeros', () => {
    expect(
      ['0.0012', '4.010', '1000000000', '123456789012345.6', '1.5e10', '0', '-1.05E-7', '101'].map(
        significantDigits,
      ),
    ).to.deep.equal([2, 3, 1, 16, 2, 0, 3, 3]);
  });

  it('have one normalized spelling in the store', () => {
    expect([0n, 1n, 2_500_000_000n, 4_010_000_000n].map(amountText)).to.deep.equal([
      '0.00',
      '0.000000001',
      '2.50',
      '4.01',
    ]);
    expect([100_000_000_000n, 1_200_000_000n, -50_000_000n].map(amountText)).to.deep.equal([
      '100.00',
      '1.20',
      '-0.05',
    ]);
    expect(amountNanos('4.01')).to.equal(4_010_000_000n);
    expect(() => amountNanos('4,01')).to.throw('stored amount 4,01 is not a decimal');
  });
});

describe('instants', () => {
  const AT_MS = Date.UTC(2026, 10, 1);
  it('are equal in every zone', () => {
    for (const text of [
      '2026-11-01T00:00:00Z',
      '2026-10-31T20:00:00-04:00',
      '2026-11-01t05:30:00.000+05:30',
      '2026-11-01 00:00Z',
      '2026-11-01T00:00:00.000999+00:00',
      '2026-11-01T00:00:00.000999999Z',
    ]) {
      expect(parseInstant(text), text).to.equal(AT_MS);
    }
  });

  it('are refused without a zone and when the instant does not exist', () => {
    for (const text of [
      '2026-11-01',
      '2026-11-01T00:00:00',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-11-01T24:00:00Z',
      '2026-11-01T00:60Z',
      '1969-12-31T23:59:59Z',
      '1970-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      'now',
      '0001-01-01T00:00:00Z',
      '10000-01-01T00:00:00Z',
      '9999-12-31T23:59:60Z',
      '2026-11-01T00:00:00.Z',
      '2026-11-01T00:00:00.1234567890Z',
      '2026-11-01T00:00:00+15:00',
      '2026-11-01T00:00:00+01:60',
      '2026-11-01T00:00:60Z',
      '2026-11-01T25:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-11-00T00:00:00Z',
      '2026-11-31T00:00:00Z',
      'x2026-11-01T00:00:00Z',
      '2026-11-01T00:00:00Zx',
      '2026-11-01T00:00:00.5',
      '2026-11-01T00Z',
    ]) {
      expect(parseInstant(text), text).to.equal(null);
    }
  });

  it('may be the last of every unit', () => {
    expect(parseInstant('2026-12-31T23:59:59.999Z')).to.equal(Date.UTC(2027, 0, 1) - 1);
    expect(parseInstant('2026-11-01T14:00:00+14:00')).to.equal(AT_MS);
    expect(parseInstant('2026-10-31T10:01:00-13:59')).to.equal(AT_MS);
    expect(parseInstant('2028-02-29T00:00:00Z')).to.equal(Date.UTC(2028, 1, 29));
    expect(parseInstant('2026-11-01T01:02:03.4Z')).to.equal(AT_MS + 3_723_400);
    expect(parseInstant('2026-11-01T01:02:03.045Z')).to.equal(AT_MS + 3_723_045);
  });

  it('are cut off after the milliseconds, up to the end of the calendar', () => {
    expect(parseInstant('2026-11-28T00:00:00.123456+00:00')).to.equal(Date.UTC(2026, 10, 28) + 123);
    expect(parseInstant('9999-12-31T23:59:59.999999999Z')).to.equal(Date.UTC(10_000, 0, 1) - 1);
    expect(parseInstant('1970-01-01T00:00:00.000000Z')).to.equal(0);
  });

  it('are written in UTC, with milliseconds only where there are any', () => {
    expect(instantText(AT_MS)).to.equal('2026-11-01T00:00:00Z');
    expect(instantText(AT_MS + 5)).to.equal('2026-11-01T00:00:00.005Z');
  });

  it('for days are the beginning of the UTC day', () => {
    expect(parseDay('2026-11-01')).to.equal(AT_MS);
    expect(parseDay('2026-11-31')).to.equal(null);
    expect(parseDay('1970-01-01')).to.equal(0);
    for (const text of [
      '1969-12-31',
      '2026-13-01',
      '2026-00-10',
      '2026-11-00',
      '26-11-01',
      '2026-11-1',
      'today',
    ])
      expect(parseDay(text), text).to.equal(null);
    for (const text of ['2026-11-01Z', ' 2026-11-01', '2026-11-01T00:00:00Z'])
      expect(parseDay(text), text).to.equal(null);
    expect(parseDay('9999-12-31')).to.equal(Date.UTC(9999, 11, 31));
  });
});
