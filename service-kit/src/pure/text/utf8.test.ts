import { expect } from 'chai';
import fc from 'fast-check';
import { decodeUtf8 } from './utf8.js';

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

/** Bytes that are not UTF-8, and the place of the first wrong byte. */
const BROKEN: readonly (readonly [what: string, given: Buffer, place: string])[] = [
  ['Latin-1', bytes('name: R', 0xe9, 'f'), 'line 1, byte 8'],
  ['a byte alone that only follows others', bytes('a\n', 0x80), 'line 2, byte 1'],
  ['a character that is cut off by another', bytes('a\né\n-', 0xe2, 0x82, 'b'), 'line 3, byte 2'],
  ['a character that is cut off by the end', bytes('a\r\n', 0xf0, 0x9f, 0x98), 'line 2, byte 1'],
  ['the beginning of U+FFFD itself', bytes('\ufffd', 0xef, 0xbf), 'line 1, byte 4'],
  ['a longer spelling than the shortest', bytes('a', 0xc0, 0xaf), 'line 1, byte 2'],
  ['half a surrogate pair', bytes(0xed, 0xa0, 0x80), 'line 1, byte 1'],
  ['more than Unicode has', bytes('x', 0xf4, 0x90, 0x80, 0x80), 'line 1, byte 2'],
  ['UTF-16 with its mark', Buffer.from('\ufeffa: 1', 'utf16le'), 'line 1, byte 1'],
];

describe('bytes', () => {
  for (const [what, given, place] of BROKEN) {
    it(`that contain ${what} are refused, and the fault names the place`, () => {
      expect(decodeUtf8(given)).to.deep.equal({ fault: `is not UTF-8: ${place} of that line` });
    });
  }

  it('of any text decode to that text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        if (!/\p{Cs}/u.test(text)) expect(decodeUtf8(Buffer.from(text))).to.deep.equal({ text });
      }),
    );
    expect(decodeUtf8(Buffer.from('\ufeff\ufffd'))).to.deep.equal({ text: '\ufeff\ufffd' });
  });

  it('are never replaced: they decode to the same bytes, or the fault names a place inside them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (given) => {
        const read = decodeUtf8(given);
        if ('text' in read) expect(Buffer.from(read.text).equals(given)).to.equal(true);
        else expect(read.fault).to.match(/^is not UTF-8: line [1-9]\d*, byte [1-9]\d* of that line$/);
      }),
      { numRuns: 5_000 },
    );
  });
});
