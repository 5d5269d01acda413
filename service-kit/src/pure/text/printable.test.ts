import { expect } from 'chai';
import fc from 'fast-check';
import { inOneLine, printable } from './printable.js';

describe('text for a terminal', () => {
  it('holds no control characters and no invisible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(inOneLine(text)).to.not.match(/\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{DI}/u);
        expect(printable(text).replaceAll('\r\n', '').replaceAll('\n', '')).to.not.match(/\p{Cc}|\p{Cf}/u);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has escapes for control and format characters', () => {
    expect(inOneLine('\u001b[1A\u001b[2Kok')).to.equal(String.raw`\u001b[1A\u001b[2Kok`);
    expect(inOneLine('a\nb\r\tc\u0000\u007f\u009b')).to.equal(String.raw`a\nb\r\tc\u0000\u007f\u009b`);
    expect(inOneLine('\u202eabc\u2069\u200b\u2028')).to.equal(String.raw`\u202eabc\u2069\u200b\u2028`);
    expect(inOneLine('\u{e0041}')).to.equal(String.raw`\udb40\udc41`);
    expect(inOneLine('Überweisung №7 😀 → 5 %')).to.equal('Überweisung №7 😀 → 5 %');
  });

  it('keeps its line ends when it has many lines, and no other carriage return', () => {
    expect(printable('a\nb\r\nc\rd\n')).to.equal('a\nb\r\nc\\rd\n');
    expect(printable('a\r\r\nb')).to.equal('a\\r\r\nb');
  });

  it('is the same JSON value as before', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(JSON.parse(printable(JSON.stringify(value, null, 2)))).to.deep.equal(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });
});
