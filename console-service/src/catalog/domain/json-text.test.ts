import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson, readJson } from './json-text.js';
import { NumberText, toJson, type RawValue } from './raw-value.js';

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
  it('says what is wrong, and names a member that an object has twice', () => {
    const faultOf = (text: string): unknown => readJson(text);
    expect(faultOf('{"a":1,}')).to.deep.equal({ fault: 'is not valid JSON', repeated: null });
    expect(faultOf('1 2')).to.deep.equal({ fault: 'is not valid JSON', repeated: null });
    const tooDeep = { fault: 'has more than 32 levels of lists and objects', repeated: null };
    expect(faultOf('['.repeat(100_000))).to.deep.equal(tooDeep);
    expect(faultOf('{"a":'.repeat(100_000))).to.deep.equal(tooDeep);
    for (const text of ['{"a":1,"b":2,"a":1}', '[{"x":{"a":null,"\\u0061":0}}]'])
      expect(faultOf(text)).to.deep.equal({ fault: 'has a member twice', repeated: 'a' });
    expect(readJson('[{"a":1},{"a":2}]')).to.have.property('value');
  });

  it('makes of it what JSON.parse makes', () => {
    const isSame = (text: string): void => {
      const read = readJson(text);
      if (!('value' in read)) throw new Error(read.fault);
      expect(toJson(read.value, Number)).to.deep.equal(JSON.parse(text));
    };
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => isSame(JSON.stringify(value))));
    isSame('{"__proto__":{"a":1},"n":[-0,1e400,12345678901234567890,0.1]}');
  });

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
