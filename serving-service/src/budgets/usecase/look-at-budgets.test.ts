import { LeaseVerdict } from '@placard/protos/events/v1/events.js';
import { makeTestClock } from '@placard/service-kit/testing';
import { asCampaignId, type Campaign } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makePurse } from '../../../test/support/exchanger.js';
import { LeaseBank } from '../../../test/support/lease-bank.js';
import { aCampaign, aCatalog, NOON } from '../../../test/support/world.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { SkipReason } from '../domain/skip-reason.js';

const COST = 2_500_000n;
const SPENT = asCampaignId('cmp_spent');
const PACED = asCampaignId('cmp_paced');
const FREE = asCampaignId('cmp_free');

function open(campaigns: readonly Campaign[]) {
  const clock = makeTestClock(NOON);
  const bank = new LeaseBank(() => clock.now());
  const index = CampaignIndex.of(aCatalog({ campaigns }));
  const purse = makePurse({ bank, index, clock });
  const entries = campaigns.map(({ id }) => index.get(id) as IndexedCampaign);
  const reasons = (): (SkipReason | null)[] => entries.map((entry) => purse.headroom.reasonOf(entry));
  return { bank, entries, reasons, exchanger: purse.exchanger };
}

describe('a look at budgets', () => {
  it('grants nothing and finds spent budgets, also of a plan without an anchor', async () => {
    const { bank, entries, reasons, exchanger } = open([
      aCampaign({ id: SPENT, budgetTotalNanos: COST - 1n }),
      aCampaign({ id: PACED, budgetDailyNanos: 1_000n * COST }),
      aCampaign({ id: FREE }),
    ]);
    bank.forced.set(PACED, LeaseVerdict.PACE);
    await exchanger.lookNow(entries);
    expect(reasons()).to.deep.equal(['total', 'pace', null]);
    expect(bank.used()).to.equal(0n);
  });

  it('may wait for the next exchange', async () => {
    const { entries, reasons, exchanger } = open([aCampaign({ id: SPENT, budgetTotalNanos: COST - 1n })]);
    for (const entry of entries) exchanger.look(entry);
    expect(reasons()).to.deep.equal([null]);
    await exchanger.tick();
    expect(reasons()).to.deep.equal(['total']);
  });
});
