import { expect } from 'chai';
import { COUNTRIES, readCountry } from './countries.js';

describe('a country', () => {
  it('is each code of ISO 3166-1 and XK, in any letter case', () => {
    expect(COUNTRIES).to.have.length(250);
    for (const code of [...COUNTRIES, ...COUNTRIES.map((each) => each.toLowerCase())])
      expect(readCountry(code)).to.equal(code.toUpperCase());
  });

  for (const text of ['', 'XX', 'T1', 'EU', 'UK', 'DEU', ' DE', 'ß', '\u0131t']) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(readCountry(text)).to.equal(null);
    });
  }
});
