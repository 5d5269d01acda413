import { HOUR_MS, asCampaignId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeSetCampaignStatus } from '../../src/catalog/usecase/set-campaign-status.js';
import { readActiveSince } from '../../src/health/store/active-since.pg.js';
import { EXAMPLE, exampleWith } from '../support/catalog-text.js';
import { openTestCatalog, type TestCatalog } from '../support/open-catalog.js';

const CAMPAIGN = asCampaignId('cmp_spring');

describe('the instant since which a campaign is active', () => {
  let catalog: TestCatalog;
  beforeEach(async () => {
    catalog = await openTestCatalog();
    await catalog.apply(EXAMPLE);
  });
  afterEach(() => catalog.close());

  const read = () => readActiveSince(catalog.pool, [CAMPAIGN, asCampaignId('cmp_x')]);

  it('is that of its creation, whatever else changes', async () => {
    const createdAtMs = catalog.clock.now();
    catalog.clock.advance(HOUR_MS);
    await catalog.apply(exampleWith('bid_cpm: 2.50', 'bid_cpm: 3.00'));
    expect([...(await read())]).to.deep.equal([[CAMPAIGN, createdAtMs]]);
  });

  it('is that of its last resumption', async () => {
    const set = makeSetCampaignStatus(catalog);
    catalog.clock.advance(HOUR_MS);
    await set({ campaignId: CAMPAIGN, status: 'paused', actor: 'anna' });
    catalog.clock.advance(HOUR_MS);
    await set({ campaignId: CAMPAIGN, status: 'active', actor: 'anna' });
    expect((await read()).get(CAMPAIGN)).to.equal(catalog.clock.now());
  });
});
