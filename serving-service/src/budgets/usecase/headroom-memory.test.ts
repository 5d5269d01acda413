import { asCampaignId, DAY_MS, minuteOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { aCampaign, aCatalog, deltaOf, NOON } from '../../../test/support/world.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { HeadroomMemory } from './headroom-memory.js';

const ID = asCampaignId('cmp_probe');
const LEFT = { totalNanos: 900n, dailyNanos: 70n };

function open() {
  const index = CampaignIndex.of(aCatalog({ campaigns: [aCampaign({ id: ID, budgetTotalNanos: 1_000n })] }));
  const headroom = new HeadroomMemory(index);
  const entry = index.get(ID);
  if (entry === undefined) throw new Error('the index has no such campaign');
  headroom.advanceTo(NOON);
  headroom.noteLeft(entry, LEFT, minuteOf(NOON));
  return { index, headroom, entry };
}

describe('what is left of budgets', () => {
  it('is as events-service last answered', () => {
    const { headroom, entry } = open();
    expect(headroom.leftOf(entry)).to.deep.equal(LEFT);
  });

  it('is unknown for the daily budget of a new day', () => {
    const { headroom, entry } = open();
    headroom.advanceTo(NOON + DAY_MS);
    expect(headroom.leftOf(entry)).to.deep.equal({ totalNanos: 900n, dailyNanos: null });
  });

  it('is unknown after a change of the campaign', () => {
    const { index, headroom, entry } = open();
    index.apply(aCatalog({ campaigns: [aCampaign({ id: ID, budgetTotalNanos: 5n })] }), deltaOf([ID]));
    const changed = index.get(ID);
    if (changed === undefined) throw new Error('the index has no such campaign');
    const unknown = { totalNanos: null, dailyNanos: null };
    expect(headroom.leftOf(changed)).to.deep.equal(unknown);
    headroom.noteLeft(entry, LEFT, minuteOf(NOON));
    expect(headroom.leftOf(changed), 'a late answer').to.deep.equal(unknown);
  });
});
