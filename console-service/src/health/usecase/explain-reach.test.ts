import { makeCatalog } from '@placard/service-kit/catalog-reader';
import { asCampaignId } from '@placard/service-kit/pure';
import { testCampaign } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { NO_FIGURES, type Concern } from '../domain/concern.js';
import { explainReach } from './explain-reach.js';

const idOf = (index: number) => asCampaignId(`cmp_${index}`);

const behind = (index: number, reason: Concern['reason']): Concern => ({
  kind: 'behind',
  subjectKind: 'campaign',
  subjectId: idOf(index),
  reason,
  figures: NO_FIGURES,
});

/** The reasons of these concerns after a look, and the campaigns that were asked about. */
async function explained(concerns: readonly Concern[]) {
  const asked: string[] = [];
  const campaigns = concerns.map((_, index) => testCampaign({ id: idOf(index) }));
  const found = await explainReach(concerns, {
    catalog: makeCatalog({ campaigns }),
    fetchLosses: (campaignId) => {
      asked.push(campaignId);
      return Promise.resolve(new Map([['country', 9]]));
    },
  });
  return { reasons: found.map(({ reason }) => reason), asked };
}

describe('the lost requests of campaigns that are behind', () => {
  it('name the step, and are read only where nothing else is the reason', async () => {
    expect(await explained([behind(0, 'balance'), behind(1, 'reach')])).to.deep.equal({
      reasons: ['balance', 'country'],
      asked: ['cmp_1'],
    });
  });

  it('are read of at most 100 campaigns in a look', async () => {
    const concerns = Array.from({ length: 101 }, (_, index) => behind(index, 'reach'));
    const { reasons, asked } = await explained(concerns);
    expect(asked).to.have.length(100);
    expect(reasons.slice(-2)).to.deep.equal(['country', 'reach']);
  });
});
