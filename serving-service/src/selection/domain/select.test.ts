import { expect } from 'chai';
import { makeTestRandom } from '@placard/service-kit/testing';
import { asCampaignId, type Campaign } from '@placard/service-kit/pure';
import { aCampaign, aCatalog, anAdRequest, anApp, NOON } from '../../../test/support/world.js';
import { campaignUnit, NO_COUNTS, type CapCounts } from '../../caps/domain/caps.js';
import { CandidateWalk } from './candidate-walk.js';
import { IndexBlock } from './index-block.js';
import { toIndexed, type IndexedCampaign } from './indexed-campaign.js';
import { hasCapInReach, isAnyWanted, isInSchedule, isWanted, nextCandidates, toQuery } from './select.js';

const CAP = { count: 2, period: 'hour' } as const;
const idOf = (n: number) => asCampaignId(`cmp_${n}`);

function countsOf(count: number, ...numbers: readonly number[]): CapCounts {
  return new Map(numbers.map((n) => [campaignUnit(idOf(n)), count]));
}

/** Two campaigns, the higher bid first, or a walk over them that has passed over the skipped ones. */
function worldOf(changes: (n: number) => Partial<Campaign> = () => ({})) {
  const campaigns = [0, 1].map((n) =>
    aCampaign({ id: idOf(n), costNanos: BigInt(1_000 - n), ...changes(n) }),
  );
  const catalog = aCatalog({ campaigns });
  const entries = campaigns.map(({ id }) => toIndexed(catalog, id)) as [IndexedCampaign, IndexedCampaign];
  const walkPast = (...skipped: readonly number[]): CandidateWalk => {
    const block = new IndexBlock([...entries]);
    for (const n of skipped) block.skip(entries[n] as IndexedCampaign);
    const walk = new CandidateWalk([block], toQuery(anAdRequest(), anApp()));
    while (walk.next(makeTestRandom(1)) !== null);
    return walk;
  };
  return { entries, walkPast };
}

describe('selection', () => {
  it('asks with the leading integer of the Android version, and with none where there is none', () => {
    const versionOf = (androidVersion: string | null) =>
      toQuery({ ...anAdRequest(), androidVersion }, anApp()).androidVersions;
    expect(['014.1', 'Tiramisu', null].map(versionOf)).to.deep.equal(['14', null, null]);
  });

  it('serves a campaign from its start on and no more at its end', () => {
    const scheduled = (startsAtMs: number | null, endsAtMs: number | null) => {
      const [entry] = worldOf(() => ({ startsAtMs, endsAtMs })).entries;
      return [NOON - 1, NOON, NOON + 1].map((atMs) => isInSchedule(entry, atMs));
    };
    expect(scheduled(null, null)).to.deep.equal([true, true, true]);
    expect(scheduled(NOON, null)).to.deep.equal([false, true, true]);
    expect(scheduled(null, NOON)).to.deep.equal([true, false, false]);
    expect(scheduled(NOON, NOON + 1)).to.deep.equal([false, true, false]);
  });

  it('serves a campaign until its cap is full, and one without a cap always', () => {
    const [capped, free] = worldOf((n) => ({ frequencyCap: n === 0 ? CAP : null })).entries;
    const wantedAt = (count: number) => {
      const facts = { nowMs: NOON, counts: countsOf(count, 0, 1) };
      return [isWanted(capped, facts), isWanted(free, facts)];
    };
    expect([0, 1, 2].map(wantedAt)).to.deep.equal([
      [true, true],
      [true, true],
      [false, true],
    ]);
  });

  it('does not serve a campaign out of its schedule, whatever its cap', () => {
    const [entry] = worldOf(() => ({ frequencyCap: CAP, endsAtMs: NOON })).entries;
    expect(isWanted(entry, { nowMs: NOON, counts: NO_COUNTS })).to.equal(false);
  });

  it('needs the counts when a campaign has a cap that was taken or passed over, and else not', () => {
    const { walkPast: withoutCaps } = worldOf();
    expect([withoutCaps(), withoutCaps(1)].map(hasCapInReach)).to.deep.equal([false, false]);
    for (const capped of [0, 1]) {
      const { walkPast } = worldOf((n) => ({ frequencyCap: n === capped ? CAP : null }));
      expect([walkPast(), walkPast(0), walkPast(1), walkPast(0, 1)].map(hasCapInReach)).to.deep.equal(
        [true, true, true, true],
        `campaign ${capped}`,
      );
    }
  });

  it('finds that a campaign was wanted when any that was taken or passed over is in its schedule and below its cap', () => {
    const { walkPast } = worldOf(() => ({ frequencyCap: CAP }));
    const wanted = (...full: readonly number[]) =>
      [walkPast(), walkPast(0), walkPast(0, 1)].map((walk) =>
        isAnyWanted(walk, { nowMs: NOON, counts: countsOf(2, ...full) }),
      );
    expect(wanted()).to.deep.equal([true, true, true]);
    expect(wanted(0)).to.deep.equal([true, true, true]);
    expect(wanted(1)).to.deep.equal([true, true, true]);
    expect(wanted(0, 1)).to.deep.equal([false, false, false]);
    const none = worldOf(() => ({ endsAtMs: NOON })).walkPast(0);
    expect(isAnyWanted(none, { nowMs: NOON, counts: NO_COUNTS })).to.equal(false);
  });

  it('gives as many candidates as are asked for, without those that are capped or get no money', () => {
    const { entries, walkPast } = worldOf((n) => ({ frequencyCap: n === 0 ? CAP : null }));
    expect(walkPast().taken).to.deep.equal(entries);
    const candidates = (counts: CapCounts, skipped: readonly number[] = [], countMax = 2) => {
      const walk = new CandidateWalk([new IndexBlock([...entries])], toQuery(anAdRequest(), anApp()));
      const isSkipped = ({ campaign }: IndexedCampaign) => skipped.some((n) => campaign.id === idOf(n));
      const facts = { nowMs: NOON, request: anAdRequest(), counts, isSkipped, random: makeTestRandom(1) };
      return nextCandidates(walk, facts, countMax).map(({ entry }) => entry.campaign.id);
    };
    expect(candidates(NO_COUNTS)).to.deep.equal(['cmp_0', 'cmp_1']);
    expect(candidates(NO_COUNTS, [], 1)).to.deep.equal(['cmp_0']);
    expect(candidates(countsOf(2, 0), [], 1), 'capped').to.deep.equal(['cmp_1']);
    expect(candidates(NO_COUNTS, [0], 1), 'without money').to.deep.equal(['cmp_1']);
  });
});
