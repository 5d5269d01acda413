import { expect } from 'chai';
import { androidMajor, primaryLanguage } from './attributes.js';

describe('attributes of an ad request', () => {
  const versions: readonly (readonly [string | null, number | null])[] = [
    ['14', 14],
    ['14.0.1', 14],
    ['8.1.0', 8],
    ['014', 14],
    [' 14 ', 14],
    ['14-beta', 14],
    ['1e1', 1],
    ['0', 0],
    ['Tiramisu', null],
    ['-14', null],
    ['', null],
    [null, null],
    ['１４', null],
    ['99999999999999999999', null],
  ];
  for (const [text, major] of versions) {
    it(`reads Android version ${JSON.stringify(text)} as ${String(major)}`, () => {
      expect(androidMajor(text)).to.equal(major);
    });
  }

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
    it(`reads language ${JSON.stringify(text)} as ${String(language)}`, () => {
      expect(primaryLanguage(text)).to.equal(language);
    });
  }
});
