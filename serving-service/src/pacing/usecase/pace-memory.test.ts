import { expect } from 'chai';
import { makeTestClock, NOTHING_KNOWN } from '@placard/service-kit/testing';
import { aCampaign, aCatalog, NOON } from '../../../test/support/world.js';
import { toIndexed, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { UNKNOWN_TRAFFIC, type TrafficGroup } from '@placard/service-kit/pure';
import { makeLearnTraffic, TRAFFIC_FRESH_MS } from './learn-traffic.js';
import { PaceMemory } from './pace-memory.js';

function entryOf(changes: Parameters<typeof aCampaign>[0] = {}): IndexedCampaign {
  const campaign = aCampaign({ budgetDailyNanos: 10n ** 12n, ...changes });
  return toIndexed(aCatalog({ campaigns: [campaign] }), campaign.id) as IndexedCampaign;
}

const EVENING: TrafficGroup = {
  category: 'games',
  format: 'banner',
  requestsPerDay: 10,
  shares: Array.from({ length: 48 }, (_, at) => (at === 40 ? 1 : 0)),
  isProven: true,
};

describe('the memory of plans', () => {
  it('is empty at first', () => {
    expect(new PaceMemory().of(entryOf())).to.eql(NOTHING_KNOWN);
  });

  it('distinguishes a resumption from a first load', () => {
    const memory = new PaceMemory();
    const entry = entryOf();
    memory.follow(entry, NOON);
    expect(memory.of(entry).resumedAtMs).to.equal(null);
    memory.follow({ ...entry, isServable: false }, NOON + 1);
    memory.follow({ ...entry, isServable: false }, NOON + 2);
    expect(memory.of(entry).resumedAtMs).to.equal(null);
    memory.follow(entry, NOON + 3);
    memory.follow(entry, NOON + 4);
    expect(memory.of(entry).resumedAtMs).to.equal(NOON + 3);
  });

  it('drops a campaign that was removed', () => {
    const memory = new PaceMemory();
    const entry = entryOf();
    memory.setAnchor(entry.campaign.id, { atMs: NOON, spentNanos: 1n, budgetNanos: 2n });
    memory.setClosed(entry.campaign.id, { shownNanos: 1, unshownNanos: 1, lateNanos: 1 });
    memory.follow({ ...entry, isServable: false }, NOON);
    memory.follow(entry, NOON);
    memory.drop(entry.campaign.id);
    expect(memory.of(entry)).to.eql(NOTHING_KNOWN);
  });

  it('follows new traffic at once, for each campaign by its targeting', () => {
    const memory = new PaceMemory();
    const [games, news] = [entryOf(), entryOf({ appCategories: ['news'] })];
    expect(memory.of(games).forecast.ahead).to.equal(1.25);
    memory.setTraffic([EVENING]);
    expect(memory.of(games).forecast.ahead).to.equal(1);
    expect(memory.of(games).forecast.curve(19 * 3_600)).to.equal(0);
    expect(memory.of(entryOf()).forecast).to.equal(memory.of(games).forecast);
    expect(memory.of(news).forecast).to.equal(UNKNOWN_TRAFFIC);
    memory.setTraffic([]);
    expect(memory.of(games).forecast).to.equal(UNKNOWN_TRAFFIC);
  });
});

describe('fetching the learned traffic', () => {
  it('repeats when the traffic is five minutes old, and keeps it while events-service is unavailable', async () => {
    const memory = new PaceMemory();
    const clock = makeTestClock(NOON);
    let asked = 0;
    let isDown = true;
    const trafficGroups = (): Promise<TrafficGroup[]> => {
      asked += 1;
      return isDown ? Promise.reject(new Error('down')) : Promise.resolve([EVENING]);
    };
    const learn = makeLearnTraffic({ spend: { trafficGroups }, memory, clock });
    expect(await learn().catch(() => 'failed')).to.equal('failed');
    isDown = false;
    await learn();
    await learn();
    expect(asked).to.equal(2);
    clock.advance(TRAFFIC_FRESH_MS);
    isDown = true;
    expect(await learn().catch(() => 'failed')).to.equal('failed');
    expect(asked).to.equal(3);
    expect(memory.of(entryOf()).forecast.ahead).to.equal(1);
  });
});
