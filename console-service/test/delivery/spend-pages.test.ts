import type { CampaignSpend } from '@placard/protos/events/v1/delivery.js';
import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openDelivery } from '../../src/health/clients/delivery.js';
import { openFakeEvents } from '../support/fake-events.js';

const spendOf = (advertiserId: string, campaignId: string): CampaignSpend => ({
  advertiserId,
  campaignId,
  spentNanos: 1n,
  daySpentNanos: 0n,
  openNanos: 0n,
  dayOpenNanos: 0n,
  shownNanos: 0,
  unshownNanos: 0,
});

describe('the spend of all campaigns', () => {
  const scopes: TestScope[] = [];
  const openScope = (): TestScope => {
    const scope = makeTestScope();
    scopes.unshift(scope);
    return scope;
  };
  after(async () => {
    for (const scope of scopes) await scope.close();
  });

  it('is read to its end, however many rows a page has', async () => {
    const events = await openFakeEvents(openScope());
    const noReport = (): Promise<never> => Promise.reject(new Error('no report is read'));
    const delivery = openDelivery(openScope(), events.address, noReport);
    expect(await delivery.spend(0)).to.deep.equal([]);
    events.spend = [
      spendOf('adv_a', 'cmp_1'),
      spendOf('adv_a', 'cmp_2'),
      spendOf('adv_a', 'cmp_3'),
      spendOf('adv_b', 'cmp_1'),
    ];
    const spend = await delivery.spend(0);
    expect(spend.map((row) => `${row.advertiserId}/${row.campaignId}`)).to.deep.equal([
      'adv_a/cmp_1',
      'adv_a/cmp_2',
      'adv_a/cmp_3',
      'adv_b/cmp_1',
    ]);
  });
});
