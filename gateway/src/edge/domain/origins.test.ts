import { expect } from 'chai';
import { readOrigins } from './origins.js';

describe('the origins of CORS_ORIGINS', () => {
  it('are separated by commas, with blanks around them', () => {
    expect(
      readOrigins('https://app.example.com, http://localhost:5173 ,capacitor://localhost,'),
    ).to.deep.equal(['https://app.example.com', 'http://localhost:5173', 'capacitor://localhost']);
    expect(readOrigins('*')).to.deep.equal(['*']);
    expect(readOrigins('')).to.deep.equal([]);
  });

  for (const [wrong, written] of [
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://App.example.com', 'https://app.example.com'],
    ['https://x.example:443', 'https://x.example'],
    ['http://x.example:80', 'http://x.example'],
    ['HTTPS://A.EXAMPLE', 'https://a.example'],
    ['https://a:secret@b.example', 'https://b.example'],
    ['https://bücher.example/shop', 'https://xn--bcher-kva.example'],
  ] as const)
    it(`are not ${wrong}, and the refusal says what to write`, () => {
      expect(() => readOrigins(`https://app.example.com,${wrong}`)).to.throw(
        `must be origins as browsers send them; write ${written}`,
      );
    });

  for (const wrong of ['app.example.com', 'https://x y', 'https://', 'capacitor://localhost/', 'null'])
    it(`are not ${wrong}`, () => {
      expect(() => readOrigins(wrong)).to.throw('such as https://app.example.com, or *');
    });
});
