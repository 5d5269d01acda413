import { expect } from 'chai';
import { makeMarket } from './market.js';

describe('a made catalog', () => {
  const market = makeMarket(995);
  const campaigns = market.advertisers.flatMap((advertiser) => advertiser.campaigns);

  it('has the requested number of campaigns, each with its own id and at least one creative', () => {
    expect(new Set(campaigns.map(({ id }) => id)).size).to.equal(995);
    expect(campaigns.every(({ creatives }) => creatives.length > 0)).to.equal(true);
  });

  it('is the same for the same seed', () => {
    expect(makeMarket(995)).to.deep.equal(market);
    expect(makeMarket(995, 2)).to.not.deep.equal(market);
  });

  it('has campaigns without targeting, and campaigns with targeting, caps and pacing', () => {
    const count = (isMeant: (campaign: (typeof campaigns)[number]) => boolean): number =>
      campaigns.filter(isMeant).length;
    expect(
      count(({ countries, targeting }) => countries.length === 0 && targeting['languages'] === undefined),
    ).to.be.within(90, 110);
    expect(count(({ countries }) => countries.length > 0)).to.be.within(500, 750);
    expect(count(({ frequency_cap: cap }) => cap !== null)).to.be.within(250, 450);
    expect(count(({ budget_daily: daily, pacing }) => daily !== null && pacing === 'even')).to.be.within(
      130,
      300,
    );
  });
});
