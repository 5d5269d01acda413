import { expect } from 'chai';
import { androidMajor } from './android-version.js';

describe('the Android version of an ad request', () => {
  const versions: readonly (readonly [string | null, number | null])[] = [
    ['14', 14],
    ['14.0.1', 14],
    ['8.1.0', 8],
    ['014', 14],
    ['000014', 14],
    ['1001', 1_001],
    ['9999', 9_999],
    ['10000', null],
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
});
