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

  for (const wrong of [
    'app.example.com',
    'https://app.example.com/',
    'https://a@b.example',
    'HTTPS://A.EXAMPLE',
    'https://x y',
  ])
    it(`are not ${wrong}`, () => {
      expect(readOrigins(`https://app.example.com,${wrong}`)).to.equal(null);
    });
});
