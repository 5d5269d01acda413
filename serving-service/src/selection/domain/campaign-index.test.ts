import { expect } from 'chai';
import fc from 'fast-check';
import { makeTestRandom } from '@placard/service-kit/testing';
import {
  asAdvertiserId,
  asCampaignId,
  type Advertiser,
  type Campaign,
  type CampaignId,
  type CatalogDelta,
  type Creative,
} from '@placard/service-kit/pure';
import {
  aCampaign,
  aCatalog,
  aCreative,
  anAdRequest,
  anAdvertiser,
  anApp,
} from '../../../test/support/world.js';
import { BLOCK_CAMPAIGNS_MAX, CampaignIndex } from './campaign-index.js';
import type { TargetingQuery } from './index-block.js';
import type { IndexedCatalog } from './indexed-campaign.js';
import { toQuery } from './select.js';

const QUERY = toQuery({ ...anAdRequest(), country: 'DE', language: 'en', androidVersion: '14' }, anApp());

interface World {
  readonly advertisers: readonly Advertiser[];
  readonly campaigns: readonly Campaign[];
  readonly creatives: readonly Creative[];
}

function deltaOf(changes: {
  readonly advertisers?: readonly Advertiser['id'][];
  readonly campaigns?: readonly CampaignId[];
  readonly removed?: readonly CampaignId[];
  readonly creatives?: readonly Creative['id'][];
  readonly removedCreatives?: readonly Creative['id'][];
}): CatalogDelta {
  const none = { changed: [], removed: [] };
  return {
    version: 2,
    isGlobalChanged: false,
    publishers: none,
    apps: none,
    placements: none,
    advertisers: { changed: changes.advertisers ?? [], removed: [] },
    campaigns: { changed: changes.campaigns ?? [], removed: changes.removed ?? [] },
    creatives: { changed: changes.creatives ?? [], removed: changes.removedCreatives ?? [] },
  };
}

/** Ids in the order of the walk. Equal bids are sorted by id, so that walks can be compared. */
function walked(index: CampaignIndex, query: TargetingQuery = QUERY): string[] {
  const walk = index.walk(query);
  const random = makeTestRandom(3);
  const found: { id: string; rank: number }[] = [];
  for (let entry = walk.next(random); entry !== null; entry = walk.next(random)) {
    found.push({ id: entry.campaign.id, rank: entry.rank });
  }
  for (const [at, one] of found.entries()) expect(one.rank).to.be.at.most(found[at - 1]?.rank ?? Infinity);
  return found.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

const aWorld = fc
  .array(
    fc.record({
      bid: fc.integer({ min: 1, max: 5 }),
      status: fc.constantFrom<Campaign['status']>('active', 'paused'),
      countries: fc.subarray(['DE', 'US']),
      languages: fc.subarray(['en', 'fr']),
      androidVersions: fc.subarray([13, 14]),
      advertiser: fc.integer({ min: 0, max: 2 }),
      hasBanner: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((given): World => {
    const campaigns = given.map((one, n) =>
      aCampaign({
        id: asCampaignId(`cmp_${n}`),
        advertiserId: asAdvertiserId(`adv_${one.advertiser}`),
        costNanos: BigInt(one.bid) * 1_000n,
        status: one.status,
        countries: one.countries,
        languages: one.languages,
        androidVersions: one.androidVersions,
      }),
    );
    const advertisers = [0, 1, 2].map((n) =>
      anAdvertiser({ id: asAdvertiserId(`adv_${n}`), isApproved: n < 2 }),
    );
    const creatives = campaigns
      .filter((_, n) => given[n]?.hasBanner)
      .map(({ id }) => aCreative({ campaignId: id }));
    return { advertisers, campaigns, creatives };
  });

/** The result of a plain loop over all campaigns. */
function expected(world: World): string[] {
  const takes = (values: readonly (string | number)[], value: string | number): boolean =>
    values.length === 0 || values.includes(value);
  return world.campaigns
    .filter((one) => one.status === 'active' && one.advertiserId !== 'adv_2')
    .filter((one) => world.creatives.some(({ campaignId }) => campaignId === one.id))
    .filter(
      (one) => takes(one.countries, 'DE') && takes(one.languages, 'en') && takes(one.androidVersions, 14),
    )
    .sort((a, b) => Number(b.costNanos - a.costNanos) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

describe('the campaign index', () => {
  it('gives every campaign the same share of its parts, in the order of the index', () => {
    const count = 3 * BLOCK_CAMPAIGNS_MAX;
    const campaigns = Array.from({ length: count }, (_, n) =>
      aCampaign({
        id: asCampaignId(`cmp_${n}`),
        costNanos: BigInt(n + 1),
        status: n % 2 === 0 ? 'active' : 'ended',
      }),
    );
    const index = CampaignIndex.of(aCatalog({ campaigns }));
    const seen = new Map<string, number>();
    for (let turn = 0; turn < 12; turn += 1) {
      const part = index.part(turn / 12, count / 4);
      expect(part).to.have.length(count / 4);
      for (const { campaign } of part) seen.set(campaign.id, (seen.get(campaign.id) ?? 0) + 1);
    }
    expect(seen.size).to.equal(count);
    expect(new Set(seen.values())).to.deep.equal(new Set([3]));
    expect(index.part(0, count).map(({ rank }) => rank)).to.deep.equal(campaigns.map((_, n) => count - n));
    expect(new Set(index.part(0.5, 2 * count)).size, 'a part has no campaign twice').to.equal(count);
    expect(CampaignIndex.of(aCatalog({ campaigns: [] })).part(0, 10)).to.deep.equal([]);
  });

  it('finds the same campaigns as a loop over all of them, highest bid first', () => {
    fc.assert(
      fc.property(aWorld, (world) => {
        expect(walked(CampaignIndex.of(aCatalog(world)))).to.eql(expected(world));
      }),
    );
  });

  it('is the same after changes as a newly built index', () => {
    fc.assert(
      fc.property(aWorld, aWorld, (before, after) => {
        const index = CampaignIndex.of(aCatalog(before));
        const kept = new Set(after.campaigns.map(({ id }) => id));
        const creatives = new Set(after.creatives.map(({ id }) => id));
        index.apply(
          aCatalog(after),
          deltaOf({
            campaigns: after.campaigns.map(({ id }) => id),
            removed: before.campaigns.map(({ id }) => id).filter((id) => !kept.has(id)),
            creatives: [...creatives],
            removedCreatives: before.creatives.map(({ id }) => id).filter((id) => !creatives.has(id)),
          }),
        );
        expect(walked(index)).to.eql(expected(after));
        expect(index.size).to.equal(after.campaigns.length);
      }),
    );
  });

  it('applies an advertiser’s approval to all of its campaigns', () => {
    const campaigns = [aCampaign()];
    const index = CampaignIndex.of(aCatalog({ campaigns }));
    const advertisers = [anAdvertiser({ isApproved: false })];
    index.apply(
      aCatalog({ campaigns, advertisers }),
      deltaOf({ advertisers: [asAdvertiserId('adv_north')] }),
    );
    expect(walked(index)).to.eql([]);
    index.apply(aCatalog({ campaigns }), deltaOf({ advertisers: [asAdvertiserId('adv_north')] }));
    expect(walked(index)).to.eql(['cmp_spring']);
  });

  it('applies a change that only adds or removes a creative', () => {
    const campaigns = [aCampaign()];
    const creative = aCreative();
    const index = CampaignIndex.of(aCatalog({ campaigns, creatives: [] }));
    expect(walked(index)).to.eql([]);
    index.apply(aCatalog({ campaigns }), deltaOf({ creatives: [creative.id] }));
    expect(walked(index)).to.eql(['cmp_spring']);
    index.apply(aCatalog({ campaigns, creatives: [] }), deltaOf({ removedCreatives: [creative.id] }));
    expect(walked(index)).to.eql([]);
  });

  it('leaves out a skipped campaign until it is retried, and lists at most 32 skipped ones', () => {
    fc.assert(
      fc.property(aWorld, fc.infiniteStream(fc.boolean()), (world, chances) => {
        const index = CampaignIndex.of(aCatalog(world));
        const isSkipped = new Map(world.campaigns.map(({ id }) => [id, chances.next().value]));
        const skipped = world.campaigns.flatMap(({ id }) => (isSkipped.get(id) ? (index.get(id) ?? []) : []));
        for (const entry of skipped) index.skip(entry);
        const all = expected(world);
        const left = all.filter((id) => !isSkipped.get(asCampaignId(id)));
        expect(walked(index)).to.eql(left);
        const walk = index.walk(QUERY);
        while (walk.next(makeTestRandom(1)) !== null);
        expect(walk.passedOver).to.have.length(Math.min(32, all.length - left.length));
        for (const entry of skipped) index.retry(entry);
        expect(walked(index)).to.eql(all);
      }),
    );
  });

  it('takes the skip and the retry of a campaign that is gone, even when it was the last one', () => {
    const campaigns = [aCampaign()];
    const index = CampaignIndex.of(aCatalog({ campaigns }));
    const entry = index.get(campaigns[0]!.id)!;
    index.apply(aCatalog({ campaigns: [], creatives: [] }), deltaOf({ removed: [campaigns[0]!.id] }));
    index.skip(entry);
    index.retry(entry);
    expect(walked(index)).to.eql([]);
    index.apply(aCatalog({ campaigns }), deltaOf({ campaigns: [campaigns[0]!.id] }));
    expect(walked(index)).to.eql(['cmp_spring']);
  });

  it('finds the one remaining campaign behind any number of skipped ones', () => {
    const campaigns = Array.from({ length: 3 * BLOCK_CAMPAIGNS_MAX }, (_, n) =>
      aCampaign({ id: asCampaignId(`cmp_${n}`), costNanos: BigInt(10_000 - n) * 1_000n }),
    );
    const index = CampaignIndex.of(aCatalog({ campaigns }));
    const last = campaigns.at(-1)!.id;
    for (const { id } of campaigns) if (id !== last) index.skip(index.get(id)!);
    expect(walked(index)).to.eql([last]);
    index.skip(index.get(last)!);
    expect(walked(index)).to.eql([]);
    index.retry(index.get(campaigns[BLOCK_CAMPAIGNS_MAX]!.id)!);
    expect(walked(index)).to.eql([`cmp_${BLOCK_CAMPAIGNS_MAX}`]);
  });

  it('draws equal bids with equal chance, even across blocks', () => {
    const campaigns = Array.from({ length: BLOCK_CAMPAIGNS_MAX + 2 }, (_, n) =>
      aCampaign({
        id: asCampaignId(`cmp_${String(n).padStart(5, '0')}`),
        costNanos: 1_000n,
        countries: n % (BLOCK_CAMPAIGNS_MAX / 2) === 0 || n > BLOCK_CAMPAIGNS_MAX ? ['DE'] : ['US'],
      }),
    );
    const index = CampaignIndex.of(aCatalog({ campaigns }));
    const random = makeTestRandom(5);
    const wins = new Map<string, number>();
    for (let round = 0; round < 4_000; round += 1) {
      const id = index.walk(QUERY).next(random)?.campaign.id ?? 'nobody';
      wins.set(id, (wins.get(id) ?? 0) + 1);
    }
    expect(wins.size).to.equal(4);
    for (const [id, count] of wins) expect(count, id).to.be.within(850, 1_150);
  });

  it('holds 100,000 campaigns and applies a change of one campaign and of one advertiser', function () {
    this.timeout(60_000);
    const random = makeTestRandom(1);
    const countries = ['DE', 'US', 'FR', 'GB'];
    const campaigns = Array.from({ length: 100_000 }, (_, n) =>
      aCampaign({
        id: asCampaignId(`cmp_${n}`),
        advertiserId: asAdvertiserId(`adv_${n % 1_000}`),
        costNanos: BigInt(1 + Math.floor(random.next() * 1_000)) * 10_000n,
        countries: countries.filter(() => random.next() < 0.4),
      }),
    );
    const advertisers = Array.from({ length: 1_000 }, (_, n) =>
      anAdvertiser({ id: asAdvertiserId(`adv_${n}`) }),
    );
    const catalog = aCatalog({ campaigns, advertisers });
    const index = CampaignIndex.of(catalog);
    const one = campaigns[5]!;
    const moved = { ...one, costNanos: one.costNanos + 1n };
    const changes: readonly CatalogDelta[] = [
      deltaOf({ campaigns: [one.id] }),
      deltaOf({ advertisers: [asAdvertiserId('adv_7')] }),
    ];
    for (const delta of changes) index.apply(bound(catalog, one.id, moved), delta);
    expect(index.get(one.id)?.campaign.costNanos).to.equal(moved.costNanos);
  });
});

/** A catalog in which one campaign is replaced. */
function bound(catalog: ReturnType<typeof aCatalog>, id: CampaignId, campaign: Campaign): IndexedCatalog {
  return {
    campaign: (asked) => (asked === id ? campaign : catalog.campaign(asked)),
    campaigns: () => catalog.campaigns(),
    advertiser: (asked) => catalog.advertiser(asked),
    creative: (asked) => catalog.creative(asked),
    creativesOf: (asked) => catalog.creativesOf(asked),
  };
}
