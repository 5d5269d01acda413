import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from './json-text.js';
import { NumberText, type RawValue } from './raw-value.js';

function plain(raw: RawValue): unknown {
  if (raw instanceof NumberText) return Number(raw.text);
  if (Array.isArray(raw)) return (raw as readonly RawValue[]).map(plain);
  if (raw instanceof Map)
    return [...(raw as ReadonlyMap<string, RawValue>)].map(([key, value]) => [key, plain(value)]);
  return raw;
}

function entries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entries);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, member]) => [key, entries(member)]);
}

describe('reading JSON', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const raw = parseJson(text);
        expect(raw).to.not.equal(undefined);
        expect(plain(raw ?? null)).to.deep.equal(entries(JSON.parse(text)));
      }),
    );
  });

  it('keeps the spelling of a number', () => {
    const raw = parseJson('[4.010, 1e-06]');
    expect(raw).to.deep.equal([new NumberText('4.010'), new NumberText('1e-06')]);
  });

  for (const text of [
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '"a',
    '01',
    '+1',
    'nul',
    '[1]]',
    '{"a":1,"a":2}',
    "{'a':1}",
  ]) {
    it(`leaves ${text === '' ? 'an empty text' : text} to the YAML reader`, () => {
      expect(parseJson(text)).to.equal(undefined);
    });
  }
});
