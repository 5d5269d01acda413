import { expect } from 'chai';
import {
  asCampaignId,
  asPlacementCode,
  type Campaign,
  type CampaignId,
  type CatalogDelta,
} from '@placard/service-kit/pure';
import type { AdRequest } from '../src/domain/ad-request.js';
import type { ReserveVerdict } from '../src/domain/budget.js';
import { CampaignIndex } from '../src/domain/campaign-index.js';
import type { IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { nextCandidates } from '../src/domain/select.js';
import { BudgetOutlook } from '../src/usecase/budget-outlook.js';
import { aCampaign, aCatalog, APP_KEY, NOON } from './support/world.js';

const CAMPAIGNS = 3_000;
const campaigns = Array.from({ length: CAMPAIGNS }, (_, n) =>
  aCampaign({ id: asCampaignId(`cmp_${n}`), costNanos: 1_000_000n + BigInt(n % 7) * 1_000n }),
);
const request: AdRequest = {
  ...{ appKey: APP_KEY, placement: asPlacementCode('home_banner'), format: 'banner', publicBaseUrl: '' },
  ...{ language: null, androidVersion: null, screenWidth: null, screenHeight: null, country: null },
  ...{ isTestMode: false, isNoFillForced: false },
};

/** A change of these campaigns and of nothing else. */
function deltaOf(changed: readonly CampaignId[]): CatalogDelta {
  const none = { changed: [], removed: [] };
  return {
    ...{ version: 2, isGlobalChanged: false, publishers: none, apps: none, placements: none },
    ...{ advertisers: none, creatives: none, campaigns: { changed: [...changed], removed: [] } },
  };
}

describe('campaigns without budget', () => {
  let index: CampaignIndex;
  let outlook: BudgetOutlook;
  let looked: number;

  beforeEach(() => {
    index = CampaignIndex.of(aCatalog({ campaigns }));
    outlook = new BudgetOutlook(index);
  });

  const entryOf = (id: string): IndexedCampaign => index.get(asCampaignId(id)) as IndexedCampaign;
  const refuse = (id: string, verdict: ReserveVerdict = 'total'): void =>
    outlook.note(entryOf(id), { verdict, anchor: null });

  /** What a request would try, and in `looked` how many campaigns were looked at one by one. */
  function candidates(): { readonly tried: readonly string[]; readonly passedOver: number } {
    looked = 0;
    const walk = index.walk({
      ...{ format: 'banner', country: null, language: null, appId: 'app_puzzle', category: 'games' },
      androidVersion: null,
    });
    const facts = {
      ...{
        nowMs: NOON,
        counts: new Map(),
        random: { next: () => 0.5, bytes: (n: number) => new Uint8Array(n) },
      },
      request,
      isSpent(entry: IndexedCampaign) {
        looked += 1;
        return outlook.isSpent(entry);
      },
    };
    const tried = nextCandidates(walk, facts, 8).map(({ entry }) => entry.campaign.id);
    return { tried, passedOver: walk.passedOver.length };
  }

  it('are not looked at with each request', () => {
    for (const { id } of campaigns.slice(0, -1)) refuse(id);
    expect(candidates().tried).to.eql([`cmp_${CAMPAIGNS - 1}`]);
    expect(looked).to.equal(1);
  });

  it('are known as passed over, so that the traffic that wanted them is counted', () => {
    expect(candidates().passedOver).to.equal(0);
    for (const { id } of campaigns) refuse(id);
    const { tried, passedOver } = candidates();
    expect(tried).to.eql([]);
    expect(passedOver).to.equal(32);
  });

  it('are tried again when money came back, and when any part of them changed', () => {
    for (const { id } of campaigns) refuse(id);
    outlook.forget(asCampaignId('cmp_5'));
    expect(candidates().tried).to.eql(['cmp_5']);
    refuse('cmp_5');
    const changes: readonly Partial<Campaign>[] = [{ budgetTotalNanos: 1n }, { costNanos: 9_000_000n }];
    for (const change of changes) {
      const changed = campaigns.map((one) => (one.id === 'cmp_9' ? { ...one, ...change } : one));
      index.apply(aCatalog({ campaigns: changed }), deltaOf([asCampaignId('cmp_9')]));
      expect(candidates().tried).to.eql(['cmp_9']);
      refuse('cmp_9');
      expect(candidates().tried).to.eql([]);
    }
  });

  it('are passed over again when the index forgot them, without another try', () => {
    for (const { id } of campaigns) refuse(id);
    const added = aCampaign({ id: asCampaignId('cmp_new'), costNanos: 1_000_500n, budgetTotalNanos: 1n });
    index.apply(aCatalog({ campaigns: [...campaigns, added] }), deltaOf([added.id]));
    expect(candidates().tried).to.eql(['cmp_new']);
    refuse('cmp_new');
    candidates();
    candidates();
    expect(looked).to.equal(0);
  });

  it('for the day are tried again when the day changes, the others are not', () => {
    for (const { id } of campaigns) refuse(id);
    outlook.startDay(1);
    refuse('cmp_3', 'day');
    outlook.startDay(1);
    expect(candidates().tried).to.eql([]);
    outlook.startDay(2);
    expect(candidates().tried).to.eql(['cmp_3']);
  });

  it('are looked at again after those that wait for their pace', () => {
    for (const { id } of campaigns.slice(0, 10)) refuse(id);
    refuse('cmp_20', 'pace');
    outlook.setUnknown(entryOf('cmp_21'));
    const taken = (): string[] => outlook.takeSpent(4).map(({ campaign }) => campaign.id);
    expect(taken()).to.eql(['cmp_20', 'cmp_21', 'cmp_0', 'cmp_1']);
    expect(taken()).to.eql(['cmp_20', 'cmp_21', 'cmp_2', 'cmp_3']);
    expect(outlook.spentCount).to.equal(12);
  });
});
