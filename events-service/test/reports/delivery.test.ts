import { DAY_MS, HOUR_MS, MINUTE_MS, asCampaignId, dayOf, minuteOf } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { openDeliveryStore } from '../../src/delivery/store/delivery.pg.js';
import type { SpendPlace } from '../../src/delivery/store/delivery.js';
import { makeGetDelivery } from '../../src/delivery/usecase/get-delivery.js';
import { AD_TTL_MS, openBed, openStores, send, type Bed } from '../support/bed.js';

const FIRST: SpendPlace = { advertiserId: '', campaignId: '' };
const ANY = { formats: [], countries: [], appIds: [], exceptCampaignId: null } as const;

describe('the figures of delivery', () => {
  let bed: Bed;
  let sequence = 0n;
  beforeEach(async () => {
    bed = await openBed();
  });
  afterEach(() => bed.drop());

  const delivery = () => makeGetDelivery(openDeliveryStore(bed.pool));
  const count = async (
    atMs: number,
    { requests = 0, reason = 'no_eligible_campaign', fills = 0, campaignId = 'cmp_spring', country = 'DE' },
  ): Promise<void> => {
    const { publisherId, appId, placement, format, advertiserId, creativeId } = bed.fill();
    const place = { publisherId, appId, placement, format, country };
    const ad = { advertiserId, campaignId: asCampaignId(campaignId), creativeId };
    sequence += 1n;
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence },
      requests: [
        {
          ...place,
          hour: Math.floor(atMs / HOUR_MS),
          noFillReason: reason,
          count: BigInt(requests),
          appVersion: '',
          sdkVersion: '',
        },
      ],
      fills: [
        {
          ...place,
          ...ad,
          minute: minuteOf(atMs),
          count: BigInt(fills),
          reservedNanos: 0n,
          expiresAtMs: atMs + AD_TTL_MS,
        },
      ],
      traffic: [],
      losses: [],
    });
  };

  it('have the spend of a campaign before and after its lease is closed', async () => {
    const claims = bed.fill({ expiresAtMs: bed.clock.now() + MINUTE_MS });
    const day = dayOf(claims.filledAtMs);
    await send(bed.instance(), 'impression', claims);
    const open = await delivery().spend(day, FIRST, null);
    expect(open).to.have.length(1);
    expect(open[0]).to.include({
      campaignId: 'cmp_spring',
      spentNanos: claims.costNanos,
      daySpentNanos: claims.costNanos,
      anchor: null,
    });
    const later = claims.expiresAtMs + 10 * MINUTE_MS;
    await openStores(bed.pool).leases.closeDue({ overBeforeMs: later, nowMs: later, countMax: 10 });
    expect((await delivery().spend(day, FIRST, null))[0]).to.include({
      spentNanos: claims.costNanos,
      daySpentNanos: claims.costNanos,
      openNanos: 0n,
      dayOpenNanos: 0n,
    });
    expect((await delivery().spend(day + 1, FIRST, null))[0]).to.include({ daySpentNanos: 0n });
  });

  it('come in pages, each after the last campaign of the one before', async () => {
    for (const id of ['cmp_b', 'cmp_a']) bed.fill({ campaignId: asCampaignId(id) });
    await bed.grantAll();
    const day = dayOf(bed.clock.now());
    const all = await delivery().spend(day, FIRST, null);
    expect(all.map(({ campaignId }) => campaignId)).to.deep.equal(['cmp_a', 'cmp_b']);
    expect(await delivery().spend(day, all[0]!, null)).to.deep.equal(all.slice(1));
  });

  it('are those of one campaign alone when it is asked for', async () => {
    for (const id of ['cmp_b', 'cmp_a', 'cmp_c']) bed.fill({ campaignId: asCampaignId(id) });
    await bed.grantAll();
    const found = await delivery().spend(dayOf(bed.clock.now()), FIRST, asCampaignId('cmp_b'));
    expect(found.map(({ campaignId }) => campaignId)).to.deep.equal(['cmp_b']);
  });

  it('compare the last two hours of a placement with the same hours of the days before', async () => {
    const nowMs = Math.floor(bed.clock.now() / HOUR_MS) * HOUR_MS;
    for (const days of [1, 2]) {
      await count(nowMs - days * DAY_MS - HOUR_MS, { requests: 100 });
      await count(nowMs - days * DAY_MS - 3 * HOUR_MS, { requests: 7_000 });
    }
    await count(nowMs - 2 * HOUR_MS, { requests: 20, reason: '' });
    await count(nowMs, { requests: 500 });
    const [found] = await delivery().traffic(nowMs + 5 * MINUTE_MS, 50);
    expect(found).to.include({ placement: 'home_banner', requests: 20n, usual: 100, days: 2 });
    expect(await delivery().traffic(nowMs, 101)).to.deep.equal([]);
  });

  it('have the fills of a day by price, and the requests that nobody won', async () => {
    const claims = bed.fill();
    const atMs = claims.filledAtMs;
    await send(bed.instance(), 'impression', claims);
    await bed.settle();
    await count(atMs, { requests: 9 });
    await count(atMs, { requests: 4, reason: 'serving_disabled', fills: 3 });
    await count(atMs, { fills: 2, campaignId: 'cmp_never_shown' });
    await count(atMs, { requests: 50, fills: 50, country: 'FR' });
    const days = { fromDay: dayOf(atMs), toDay: dayOf(atMs) + 1 };
    const inGermany = { ...ANY, countries: ['DE'] };
    expect(await delivery().auctions(days, inGermany)).to.deep.equal([
      {
        day: dayOf(atMs),
        unsold: 9n,
        impressions: 1n,
        sold: [
          { priceNanos: 0n, fills: 2n },
          { priceNanos: claims.costNanos, fills: 3n },
        ],
      },
    ]);
    const [own] = await delivery().auctions(days, {
      ...inGermany,
      exceptCampaignId: asCampaignId('cmp_spring'),
    });
    expect(own).to.deep.include({ unsold: 12n, sold: [{ priceNanos: 0n, fills: 2n }] });
  });

  it('are refused for more than 60 days', async () => {
    const refused = await delivery()
      .auctions({ fromDay: 20_000, toDay: 20_061 }, ANY)
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(refused).to.have.property('code', 'invalid_argument');
  });
});
