import { expect } from 'chai';
import type { AmountBounds, ItemShape, Shape } from '@placard/service-kit/pure';
import { fieldTypeOf } from './field-types.js';
import { NumberText, type RawValue } from './raw-value.js';

/** What is kept of a value, or the faults that are reported. */
function read(shape: Shape, raw: RawValue): unknown {
  const faults: string[] = [];
  const kept = fieldTypeOf(shape)(raw, (message, at) => faults.push(`${at ?? ''}: ${message}`));
  if (faults.length === 0) return kept;
  expect(kept, 'a faulty value is not kept').to.equal(undefined);
  return faults;
}

const number = (written: string): NumberText => new NumberText(written);
const mapping = (...entries: readonly (readonly [string, RawValue])[]): RawValue => new Map(entries);
const UNITS = 1_000_000_000n;
const list = (item: ItemShape): Shape => ({ is: 'list', item });
const text = (charsMax: number): ItemShape => ({ is: 'text', charsMax });
const amount = (bounds: AmountBounds): Shape => ({ is: 'amount', unit: 'nanos', bounds });
const positive = (max: number): Shape => ({ is: 'positive', max });
const whole = (min: number, max: number): Shape => ({ is: 'whole', min, max });

describe('a field of the catalog', () => {
  it('that is a flag takes true and false, and nothing that looks like them', () => {
    expect([true, false].map((raw) => read({ is: 'flag' }, raw))).to.deep.equal([true, false]);
    for (const raw of ['true', number('1'), null])
      expect(read({ is: 'flag' }, raw)).to.deep.equal([': must be true or false']);
  });

  it('that is text takes up to its length, and says when only the quotes are missing', () => {
    expect(read(text(3), 'abc')).to.equal('abc');
    expect(read(text(3), 'abcd')).to.deep.equal([': must have at most 3 characters']);
    for (const raw of [number('12'), true])
      expect(read(text(3), raw)).to.deep.equal([': must be text; put it in quotes']);
    for (const raw of [null, [], mapping()]) expect(read(text(3), raw)).to.deep.equal([': must be text']);
  });

  it('of a fixed form takes that form, up to 2048 characters', () => {
    const form = { is: 'pattern', form: /^x+$/, wanted: 'made of x' } as const;
    expect(read(form, 'xx')).to.equal('xx');
    expect(read(form, 'xy')).to.deep.equal([': must be made of x']);
    expect(read(form, number('1'))).to.deep.equal([': must be text; put it in quotes']);
    expect(read(form, 'x'.repeat(2_048))).to.have.length(2_048);
    expect(read(form, 'x'.repeat(2_049))).to.deep.equal([': must have at most 2048 characters']);
  });

  it('that is a word takes one of the list', () => {
    expect(read({ is: 'word', list: 'pacing' }, 'asap')).to.equal('asap');
    for (const raw of ['ASAP', '', true, null])
      expect(read({ is: 'word', list: 'pacing' }, raw)).to.deep.equal([': must be one of even, asap']);
  });

  it('that is a whole number takes its bounds, in any spelling', () => {
    const shape = whole(2, 10);
    expect(['2', '10', '1e1', '2.0', '+3', '002'].map((raw) => read(shape, number(raw)))).to.deep.equal([
      2, 10, 10, 2, 3, 2,
    ]);
    for (const raw of [number('1'), number('11'), number('2.5'), number('-3'), number('.inf'), '3', true])
      expect(read(shape, raw)).to.deep.equal([': must be a whole number from 2 to 10']);
  });

  it('that is a number above zero takes its upper bound, and fractions', () => {
    const shape = positive(60);
    expect(['60', '0.5', '1e-3'].map((raw) => read(shape, number(raw)))).to.deep.equal([60, 0.5, 0.001]);
    for (const raw of [number('0'), number('-1'), number('60.001'), number('.nan'), '5'])
      expect(read(shape, raw)).to.deep.equal([': must be a number above 0 and at most 60']);
  });

  it('refuses a number of more than 15 significant digits', () => {
    const fault = ': must not be a number of more than 15 significant digits; write it as a text in quotes';
    const shape = amount({ isZeroAllowed: true, maxNanos: 10n ** 18n, decimalsMax: 9 });
    expect(read(shape, number('123456.123456789'))).to.equal('123456.123456789');
    expect(read(shape, number('1234567.123456789'))).to.deep.equal([fault]);
    expect(read(shape, '1234567.123456789')).to.equal('1234567.123456789');
    expect(read(positive(60), number('1.234567890123456'))).to.deep.equal([fault]);
    expect(read(whole(1, 9), number('1.234567890123456'))).to.deep.equal([fault]);
  });

  it('that is an amount takes zero only where it may, and its upper bound', () => {
    const shapeOf = (isZeroAllowed: boolean) =>
      amount({ isZeroAllowed, maxNanos: 5n * UNITS, decimalsMax: 2 });
    expect(read(shapeOf(true), number('0'))).to.equal('0.00');
    expect(read(shapeOf(false), number('0'))).to.deep.equal([': must be above zero']);
    expect(read(shapeOf(true), '-0.01')).to.deep.equal([': must not be negative']);
    expect(read(shapeOf(false), '-0.01')).to.deep.equal([': must be above zero']);
    expect(read(shapeOf(false), '0.01')).to.equal('0.01');
    expect(read(shapeOf(false), '5.00')).to.equal('5.00');
    for (const raw of ['5.01', `1${'0'.repeat(20)}`])
      expect(read(shapeOf(false), raw)).to.deep.equal([': must be at most 5']);
    expect(read(shapeOf(true), `-1${'0'.repeat(20)}`)).to.deep.equal([': must not be negative']);
    for (const raw of ['0.001', 'x', true, null])
      expect(read(shapeOf(true), raw)).to.deep.equal([
        ': must be a decimal amount such as 2.50 with at most 2 decimals',
      ]);
  });

  it('names the upper bound of an amount with its decimals', () => {
    const shape = amount({ isZeroAllowed: true, maxNanos: 2_500_000_000n, decimalsMax: 2 });
    expect(read(shape, '3')).to.deep.equal([': must be at most 2.50']);
  });

  it('that is an instant is kept in UTC', () => {
    expect(read({ is: 'instant' }, '2026-01-01T02:00:00+02:00')).to.equal('2026-01-01T00:00:00Z');
    for (const raw of ['2026-01-01', number('5'), null])
      expect(read({ is: 'instant' }, raw)).to.deep.equal([
        ': must be a date and time with a zone, such as 2026-01-01T00:00:00Z',
      ]);
  });

  it('that is a country is kept in capitals', () => {
    expect(read({ is: 'country' }, 'de')).to.equal('DE');
    for (const raw of ['UK', number('1'), null])
      expect(read({ is: 'country' }, raw)).to.deep.equal([
        ': must be a country code of ISO 3166-1 alpha-2, such as US',
      ]);
  });

  it('that is an address takes one of its own kind', () => {
    const market = 'market://details?id=com.example.game';
    for (const is of ['fileAddress', 'clickAddress'] as const)
      expect(read({ is }, 'https://a')).to.equal('https://a');
    expect(read({ is: 'clickAddress' }, market)).to.equal(market);
    for (const raw of [market, number('1'), null])
      expect(read({ is: 'fileAddress' }, raw)).to.deep.equal([
        ': must be an address that begins with https:// or /creatives/demo/',
      ]);
  });

  it('that is a language is kept as it is written', () => {
    expect(read({ is: 'language' }, 'pt-BR')).to.equal('pt-BR');
    for (const raw of ['e', true, null])
      expect(read({ is: 'language' }, raw)).to.deep.equal([': must be a language such as en or pt-BR']);
  });

  it('that is a list takes up to 1,000 values, each once, and names the place of a fault', () => {
    const shape = list(text(3));
    expect(read(shape, ['b', 'a', 'b'])).to.deep.equal(['b', 'a']);
    expect(read(shape, [])).to.deep.equal([]);
    expect(read(shape, 'a')).to.deep.equal([': must be a list']);
    expect(read(shape, ['a', 'abcd', '', null])).to.deep.equal([
      '[1]: must have at most 3 characters',
      '[2]: must not be empty',
      '[3]: must be text',
    ]);
    expect(read(shape, Array<string>(1_000).fill('a'))).to.deep.equal(['a']);
    expect(read(shape, Array<string>(1_001).fill('a'))).to.deep.equal([': must have at most 1000 items']);
  });

  it('that is a cap takes a count and a period, and names each part that is wrong', () => {
    expect(read({ is: 'cap' }, mapping(['count', number('1')], ['period', 'hour']))).to.deep.equal({
      count: 1,
      period: 'hour',
    });
    expect(read({ is: 'cap' }, mapping(['period', 'day'], ['count', number('1000000')]))).to.deep.equal({
      count: 1_000_000,
      period: 'day',
    });
    expect(read({ is: 'cap' }, number('3'))).to.deep.equal([': must be { count, period } or null']);
    expect(read({ is: 'cap' }, mapping())).to.deep.equal(['.count: is required', '.period: is required']);
    expect(
      read({ is: 'cap' }, mapping(['count', number('0')], ['period', 'week'], ['per', number('1')])),
    ).to.deep.equal([
      '.per: unknown key',
      '.count: must be a whole number from 1 to 1000000',
      '.period: must be one of session, hour, day',
    ]);
    expect(
      read({ is: 'cap' }, mapping(['count', number('1')], ['period', 'day'], ['per', null])),
    ).to.deep.equal(['.per: unknown key']);
    expect(read({ is: 'cap' }, mapping(['count', number('1')], ['period', null]))).to.deep.equal([
      '.period: must be one of session, hour, day',
    ]);
  });
});
