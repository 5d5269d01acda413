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

  it('reads words, blanks and numbers wherever they may stand', () => {
    const [yes, no, nothing] = [true, false, null];
    const read = (text: string) => plain(parseJson(text) ?? null);
    expect(read(' \t\r\n[ true , false\n,\tnull ] ')).to.deep.equal([yes, no, nothing]);
    expect(read('{ "a" : [ ] , "b" : { } }')).to.deep.equal([
      ['a', []],
      ['b', []],
    ]);
    expect(read('[0,-0,-1.50,10,1E+2,1e-2]')).to.deep.equal([0, -0, -1.5, 10, 100, 0.01]);
  });

  it('reads escapes and quotes within texts', () => {
    const texts = ['', '"', '\\', '\\"', '\\\\', 'a\nb', '\u00e9', '\u{1f600}', 'a"b"c', '\\n'];
    expect(parseJson(JSON.stringify(texts))).to.deep.equal(texts);
    expect(parseJson('"\\u0041\\/"')).to.equal('A/');
  });

  it('reads lists and mappings 32 deep, and leaves deeper ones to the YAML reader', () => {
    const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const mappings = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const nested of [lists, mappings]) {
      expect(parseJson(nested(32)), 'deep').not.to.equal(undefined);
      expect(parseJson(nested(33)), 'too deep').to.equal(undefined);
    }
  });

  for (const text of [
    '',
    ' ',
    '[',
    '{"a"',
    '{"a":',
    '{"a" 1}',
    '{a:1}',
    '{a":1}',
    '["\\x"]',
    '{"a":"\\x"}',
    '{"a":1 "b":2}',
    '{,}',
    '[,]',
    '[1',
    '{"a":1',
    '"a\\"',
    '"\\x"',
    '"a\nb"',
    '"a\u0000b"',
    '"a\u001fb"',
    '1.',
    '.5',
    '1e',
    '-',
    'true false',
    'truex',
    '1}',
    '\u00a01',
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
    it(`leaves ${JSON.stringify(text)} to the YAML reader`, () => {
      expect(parseJson(text)).to.equal(undefined);
    });
  }
});
