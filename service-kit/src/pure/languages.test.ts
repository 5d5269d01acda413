import { expect } from 'chai';
import fc from 'fast-check';
import { isLanguage, primaryLanguage } from './languages.js';

describe('a language', () => {
  const languages: readonly (readonly [string | null, string | null])[] = [
    ['en', 'en'],
    ['EN', 'en'],
    ['pt_BR', 'pt'],
    ['pt-BR', 'pt'],
    ['zh-Hant-TW', 'zh'],
    [' de ', 'de'],
    ['', null],
    [null, null],
    ['!!', null],
    ['-', null],
    ['12', null],
  ];
  for (const [text, language] of languages) {
    it(`${JSON.stringify(text)} is compared as ${String(language)}`, () => {
      expect(primaryLanguage(text)).to.equal(language);
    });
  }

  it('of a catalog is compared by its first part, and every one has a part that a request can match', () => {
    const part = fc.stringMatching(/^[A-Za-z]{2,8}$/);
    const rest = fc.array(fc.stringMatching(/^[-_][A-Za-z0-9]{1,8}$/), { maxLength: 2 });
    fc.assert(
      fc.property(part, rest, (first, others) => {
        const tag = first + others.join('');
        expect(isLanguage(tag)).to.equal(true);
        expect(primaryLanguage(tag)).to.equal(first.toLowerCase());
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => !isLanguage(text) || primaryLanguage(text) !== null));
  });
});
