import { expect } from 'chai';
import { asCampaignId, DAY_MS, MINUTE_MS, minuteOf, type Campaign } from '@placard/service-kit/pure';
import { CampaignIndex } from '../src/selection/domain/campaign-index.js';
import type { IndexedCampaign } from '../src/selection/domain/indexed-campaign.js';
import { nextCandidates, toQuery } from '../src/selection/domain/select.js';
import type { SkipReason } from '../src/budgets/domain/skip-reason.js';
import { HeadroomMemory } from '../src/budgets/usecase/headroom-memory.js';
import { aCampaign, aCatalog, anAdRequest, anApp, deltaOf, NOON } from './support/world.js';

const CAMPAIGNS = 3_000;
const campaigns = Array.from({ length: CAMPAIGNS }, (_, n) =>
  aCampaign({ id: asCampaignId(`cmp_${n}`), costNanos: 1_000_000n + BigInt(n % 7) * 1_000n }),
);
const request = anAdRequest();

describe('campaigns without budget', () => {
  let index: CampaignIndex;
  let headroom: HeadroomMemory;
  let looked: number;

  beforeEach(() => {
    index = CampaignIndex.of(aCatalog({ campaigns }));
    headroom = new HeadroomMemory(index);
    headroom.advanceTo(NOON);
  });

  const entryOf = (id: string): IndexedCampaign => index.get(asCampaignId(id)) as IndexedCampaign;
  const refuse = (id: string, reason: SkipReason = 'total', atMs = NOON): void =>
    headroom.skip(entryOf(id), reason, minuteOf(atMs));

  /** The campaigns that a request would try, and in `passedOver` how many skipped ones the walk has listed. */
  function candidates(): { readonly tried: readonly string[]; readonly passedOver: number } {
    looked = 0;
    const walk = index.walk(toQuery(request, anApp()));
    const facts = {
      nowMs: NOON,
      counts: new Map(),
      random: { next: () => 0.5, bytes: (n: number) => new Uint8Array(n) },
      request,
      isSkipped(entry: IndexedCampaign) {
        looked += 1;
        return headroom.isSkipped(entry);
      },
    };
    const tried = nextCandidates(walk, facts, 8).map(({ entry }) => entry.campaign.id);
    return { tried, passedOver: walk.passedOver.length };
  }

  it('are not tried by each request', () => {
    for (const { id } of campaigns.slice(0, -1)) refuse(id);
    expect(candidates().tried).to.eql([`cmp_${CAMPAIGNS - 1}`]);
    expect(looked).to.equal(1);
  });

  it('are listed as skipped, so that their traffic is counted', () => {
    expect(candidates().passedOver).to.equal(0);
    for (const { id } of campaigns) refuse(id);
    const { tried, passedOver } = candidates();
    expect(tried).to.eql([]);
    expect(passedOver).to.equal(32);
  });

  it('are tried again when they have headroom, and when any part of them has changed', () => {
    for (const { id } of campaigns) refuse(id);
    headroom.retry(asCampaignId('cmp_5'));
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

  it('stay skipped when a part of the index was rebuilt', () => {
    for (const { id } of campaigns) refuse(id);
    const added = aCampaign({ id: asCampaignId('cmp_new'), costNanos: 1_000_500n, budgetTotalNanos: 1n });
    index.apply(aCatalog({ campaigns: [...campaigns, added] }), deltaOf([added.id]));
    expect(candidates().tried).to.eql(['cmp_new']);
    refuse('cmp_new');
    expect(candidates().tried).to.eql([]);
    expect(looked).to.equal(0);
  });

  it('are not skipped when they were refused under terms that have changed', () => {
    const before = entryOf('cmp_9');
    const changed = campaigns.map((one) => (one.id === 'cmp_9' ? { ...one, budgetTotalNanos: 1n } : one));
    index.apply(aCatalog({ campaigns: changed }), deltaOf([asCampaignId('cmp_9')]));
    headroom.skip(before, 'total', minuteOf(NOON));
    expect(headroom.skippedCount).to.equal(0);
  });

  it('are tried again when the day changes, forward or back, if only the daily budget is spent', () => {
    for (const { id } of campaigns) refuse(id);
    for (const atMs of [NOON + DAY_MS, NOON + 3 * DAY_MS, NOON - DAY_MS]) {
      headroom.advanceTo(atMs);
      expect(candidates().tried).to.eql([]);
      refuse('cmp_3', 'day', atMs);
      headroom.advanceTo(atMs + MINUTE_MS);
      expect(candidates().tried).to.eql([]);
      headroom.advanceTo(atMs + DAY_MS);
      expect(candidates().tried, String(atMs)).to.eql(['cmp_3']);
      refuse('cmp_3');
    }
  });

  it('are tried again in another minute if ahead of their plan, and not skipped for another minute', () => {
    for (const { id } of campaigns) refuse(id);
    headroom.retry(asCampaignId('cmp_3'));
    refuse('cmp_3', 'pace', NOON + MINUTE_MS);
    expect(candidates().tried).to.eql(['cmp_3']);
    refuse('cmp_3', 'pace');
    expect(candidates().tried).to.eql([]);
    headroom.advanceTo(NOON + MINUTE_MS);
    expect(candidates().tried).to.eql(['cmp_3']);
  });

  it('are checked again in turn', () => {
    for (const { id } of campaigns.slice(0, 5)) refuse(id);
    const taken = (): string[] => headroom.takeSkipped(3).map(({ campaign }) => campaign.id);
    expect(taken()).to.eql(['cmp_0', 'cmp_1', 'cmp_2']);
    expect(taken()).to.eql(['cmp_3', 'cmp_4', 'cmp_0']);
    expect(headroom.skippedCount).to.equal(5);
  });

  it('are tried again once events-service can be called', () => {
    for (const { id } of campaigns) refuse(id);
    headroom.retry(asCampaignId('cmp_3'));
    refuse('cmp_3', 'unknown');
    expect(candidates().tried).to.eql([]);
    headroom.retryUnknown();
    expect(candidates().tried).to.eql(['cmp_3']);
  });
});
