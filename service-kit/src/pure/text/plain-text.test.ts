import { expect } from 'chai';
import fc from 'fast-check';
import { plainKey, readPlainText } from './plain-text.js';

const CHARS_MAX = 128;
const textOf = (raw: string): string | null => {
  const read = readPlainText(raw, CHARS_MAX);
  return 'text' in read ? read.text : null;
};
const faultOf = (raw: string): string | null => {
  const read = readPlainText(raw, CHARS_MAX);
  return 'fault' in read ? read.fault : null;
};

/** Examples of refused characters, by the reason in the fault. */
const REFUSED: readonly (readonly [reason: string, characters: string])[] = [
  ['a control character', '\0\t\n\r\u001b\u007f\u0085\u009b\u2028\u2029\ufffe\u{1ffff}'],
  [
    'a blank that is not U+0020',
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
  ],
  [
    'cannot be seen',
    '\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u202a\u202e\u2060\u2064\u2066\u2069' +
      '\u206f\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffc\u{13441}\u{16fe4}\u{1d159}\u{1d173}\u{e0001}\u{e0041}\u{e0100}',
  ],
  ['looks like another character', '\u2010\u2011\u0f0c'],
  ['stands for bytes that are not UTF-8', '\ufffd'],
];

describe('a text that people compare by eye', () => {
  for (const [reason, characters] of REFUSED) {
    for (const character of characters) {
      const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
      it(`is refused with ${name} anywhere (${reason}), and the fault names its place`, () => {
        expect(faultOf(`${character}INV7`)).to.equal(`must not hold ${name} (${reason}) at character 1`);
        expect(faultOf(`IN😀${character}V7`)).to.equal(`must not hold ${name} (${reason}) at character 4`);
        expect(faultOf(`INV7${character}`)).to.equal(`must not hold ${name} (${reason}) at character 5`);
      });
    }
  }

  it('is refused with half of a surrogate pair', () => {
    expect(faultOf('a\ud800')).to.equal('must not hold U+D800 (a control character) at character 2');
  });

  it('may be in any language, with blanks inside', () => {
    for (const text of [
      'R-1',
      'Invoice 7,  November',
      'Überweisung №7',
      '請求書 7',
      'فاتورة ٧',
      'चालान',
      '😀',
      '2–3',
    ])
      expect(textOf(text), text).to.equal(text);
  });

  it('is the same in composed and decomposed form', () => {
    for (const text of ['Réf', 'Å', '각', 'ộ']) {
      expect(textOf(text.normalize('NFD'))).to.equal(text.normalize('NFC'));
      expect(textOf(text.normalize('NFC'))).to.equal(text.normalize('NFC'));
    }
    expect(textOf('\u212b7')).to.equal('\u00c57');
  });

  it('has no surrounding blanks, is not empty, and its length counts composed characters', () => {
    for (const text of [' R', 'R ', ' R '])
      expect(faultOf(text)).to.equal('must not begin or end with a blank');
    for (const text of ['', ' ', '\u00a0']) expect(faultOf(text)).to.equal('must not be empty');
    expect(textOf('é'.normalize('NFD').repeat(CHARS_MAX))).to.equal('é'.repeat(CHARS_MAX));
    expect(textOf('😀'.repeat(CHARS_MAX))).to.equal('😀'.repeat(CHARS_MAX));
    expect(textOf('a'.repeat(CHARS_MAX))).to.equal('a'.repeat(CHARS_MAX));
    for (const text of ['😀'.repeat(CHARS_MAX + 1), 'a'.repeat(CHARS_MAX + 1), 'a'.repeat(8 * CHARS_MAX + 1)])
      expect(faultOf(text)).to.equal('must have at most 128 characters');
  });

  it('does not change when it is read again, and is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (raw) => {
        const text = textOf(raw);
        if (text === null) return;
        expect(textOf(text)).to.equal(text);
        expect(textOf(raw.normalize('NFD'))).to.equal(text);
        expect(plainKey(raw)).to.equal(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the key of its look-alike when an earlier release has stored it', () => {
    for (const stored of [
      'INV-7\u3164',
      '\u200bINV-7',
      'IN\u00adV-7',
      'INV\u20117',
      'INV-7\ufe0f',
      'INV-7\u2800 ',
      '\u3164  INV-7  ',
    ])
      expect(plainKey(stored), JSON.stringify(stored)).to.equal('INV-7');
    expect(plainKey('INV\u00a07')).to.equal('INV 7');
    expect(plainKey('Re\u0301f')).to.equal('R\u00e9f');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (stored) => {
        expect(plainKey(plainKey(stored))).to.equal(plainKey(stored));
      }),
    );
  });
});
