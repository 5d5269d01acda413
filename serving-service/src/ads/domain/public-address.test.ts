import { expect } from 'chai';
import { testCreative } from '@placard/service-kit/testing';
import { atPublicAddress } from './public-address.js';
import { TEST_CREATIVES } from './test-ad.js';

const BASE = 'https://ads.example.com';
const DEMO = '/creatives/demo/spring-320x50.png';

describe('the addresses of a creative in an answer', () => {
  it('begin with the address by which the client reached the product, where they are paths', () => {
    const { url, clickUrl } = atPublicAddress(TEST_CREATIVES.banner, BASE);
    expect([url, clickUrl]).to.deep.equal([`${BASE}/creatives/test/banner.png`, `${BASE}/docs`]);
  });

  it('stay as they are in the catalog, where they have a host', () => {
    const creative = testCreative();
    expect(atPublicAddress(creative, BASE), 'the same object').to.equal(creative);
    const demo = testCreative({ url: DEMO });
    expect(atPublicAddress(demo, BASE)).to.deep.equal({ ...demo, url: BASE + DEMO });
  });

  it('stand below the address of the product, whether that ends with slashes or not', () => {
    for (const base of [`${BASE}/ads`, `${BASE}/ads/`, `${BASE}/ads//`])
      expect(atPublicAddress(testCreative({ url: DEMO }), base).url).to.equal(`${BASE}/ads${DEMO}`);
  });
});
