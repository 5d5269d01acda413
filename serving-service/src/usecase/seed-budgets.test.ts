import { expect } from 'chai';
import { makeTestClock } from '@placard/service-kit/testing';
import { asAdvertiserId, asCampaignId, minuteOf } from '@placard/service-kit/pure';
import type { BudgetSeed, BudgetTruth } from '../domain/budget.js';
import { QUIET_MS } from '../store/budget-store.js';
import { makeBudgetSeeder, RETRY_MS, type SeedDeps } from './seed-budgets.js';

const NOON = Date.UTC(2026, 4, 1, 12);
const NORTH = asAdvertiserId('adv_north');
const A = asCampaignId('cmp_a');
const B = asCampaignId('cmp_b');

function truthOf(campaignIds: readonly string[], open: readonly string[] = []): BudgetTruth {
  return {
    advertiserAcceptedNanos: 100n,
    openMinutes: open.map((id) => ({
      campaignId: asCampaignId(id),
      minute: minuteOf(NOON),
      reservedNanos: 30n,
      acceptedNanos: 10n,
      expiresAtMs: NOON + 1_000,
    })),
    campaigns: campaignIds.map((id) => ({
      campaignId: asCampaignId(id),
      acceptedNanos: 50n,
      acceptedByDay: new Map(),
    })),
  };
}

interface Changes {
  readonly isKnown?: boolean;
  /** Whether another replica seeds the advertiser while the truth is asked for. */
  readonly isSeededMeanwhile?: boolean;
  readonly open?: readonly string[];
  readonly isAlone?: boolean;
  readonly quietMs?: number;
}

function open(changes: Changes = {}) {
  const clock = makeTestClock(NOON);
  const steps: string[] = [];
  const seeds: BudgetSeed[] = [];
  const waits: (() => void)[] = [];
  const state = { isDown: false, isLostAgain: false, isKnown: changes.isKnown ?? false };
  const deps: SeedDeps = {
    clock,
    budgets: {
      isKnown: () => Promise.resolve(state.isKnown),
      open() {
        const { isAlone = false, quietMs = 0 } = changes;
        return Promise.resolve({ generation: '7', isAlone, quietMs });
      },
      seed(seed, generation) {
        expect(generation).to.equal('7');
        seeds.push(seed);
        return Promise.resolve(state.isLostAgain ? null : 1);
      },
    },
    spend: {
      budgetTruth(_, campaignIds) {
        steps.push(`ask ${campaignIds.join(' ')}`);
        if (state.isDown) return Promise.reject(new Error('down'));
        if (changes.isSeededMeanwhile === true) state.isKnown = true;
        return Promise.resolve(truthOf(campaignIds, changes.open));
      },
    },
    flushReport() {
      steps.push('flush');
      return Promise.resolve();
    },
    tellReservations(generation) {
      steps.push(`tell ${generation}`);
      return Promise.resolve();
    },
    siblings: () => [A, B],
    wait(ms) {
      steps.push(`wait ${ms}`);
      return new Promise((resolve) => waits.push(resolve));
    },
    onOutcome: (outcome) => steps.push(outcome),
  };
  return { clock, steps, seeds, waits, state, seeder: makeBudgetSeeder(deps) };
}

describe('rebuilding missing budget counters', () => {
  it('hands the last fills over before it asks, and seeds every campaign of a lost advertiser', async () => {
    const { seeder, steps, seeds } = open();
    expect(await seeder.seed(NORTH, [A])).to.equal(true);
    expect(steps).to.eql(['flush', 'tell 7', 'ask cmp_a cmp_b', 'seeded']);
    expect(seeds[0]?.campaigns.map(({ campaignId }) => campaignId)).to.eql([A, B]);
  });

  it('asks for a new campaign alone while the advertiser is known, and does not wait', async () => {
    const { seeder, steps } = open({ isKnown: true, open: ['cmp_a'] });
    expect(await seeder.seed(NORTH, [A])).to.equal(true);
    expect(steps).to.eql(['flush', 'ask cmp_a', 'seeded']);
  });

  it('waits for the other replicas’ last reports after a loss under traffic, without holding requests up', async () => {
    const { seeder, steps, seeds, waits } = open({ open: ['cmp_a'] });
    expect(await seeder.seed(NORTH, [A]), 'answers at once').to.equal(false);
    expect(seeds).to.eql([]);
    expect(await seeder.seed(NORTH, [A]), 'shares the attempt').to.equal(false);
    waits[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).to.eql([
      'flush',
      'tell 7',
      'ask cmp_a cmp_b',
      `wait ${QUIET_MS}`,
      'flush',
      'ask cmp_a cmp_b',
      'seeded',
    ]);
    expect(seeds[0]?.usedNanos).to.equal(120n);
  });

  it('waits as well when a loss was noticed and nothing is known of open fills yet', async () => {
    const { seeder, steps } = open({ quietMs: 1_500 });
    expect(await seeder.seed(NORTH, [A])).to.equal(false);
    expect(steps.at(-1)).to.equal('wait 1500');
  });

  it('does not wait when another replica has seeded the advertiser meanwhile: the open fills are its own', async () => {
    const { seeder, steps } = open({ open: ['cmp_a'], isSeededMeanwhile: true });
    expect(await seeder.seed(NORTH, [A])).to.equal(true);
    expect(steps).to.eql(['flush', 'tell 7', 'ask cmp_a cmp_b', 'seeded']);
  });

  it('waits for nobody when no other replica ran', async () => {
    const { seeder, steps } = open({ open: ['cmp_a'], isAlone: true });
    expect(await seeder.seed(NORTH, [A])).to.equal(true);
    expect(steps).to.eql(['flush', 'tell 7', 'ask cmp_a cmp_b', 'seeded']);
  });

  it('fails when the memory is lost again meanwhile: what it knows may be too old', async () => {
    const { seeder, steps, state } = open();
    state.isLostAgain = true;
    expect(await seeder.seed(NORTH, [A])).to.equal(false);
    expect(steps.at(-1)).to.equal('failed');
  });

  it('asks again for campaigns with open fills that the catalog no longer knows', async () => {
    const { seeder, steps } = open({ isKnown: true, open: ['cmp_gone'] });
    await seeder.seed(NORTH, [A]);
    expect(steps).to.eql(['flush', 'ask cmp_a', 'ask cmp_a cmp_gone', 'seeded']);
  });

  it('asks once for any number of requests', async () => {
    const { seeder, steps } = open();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => seeder.seed(NORTH, [A])));
    expect(outcomes.every(Boolean)).to.equal(true);
    expect(steps.filter((step) => step.startsWith('ask'))).to.have.length(1);
  });

  it('answers false while events-service is down and asks again after a rest', async () => {
    const { seeder, steps, state, clock } = open();
    state.isDown = true;
    expect(await seeder.seed(NORTH, [A])).to.equal(false);
    expect(await seeder.seed(NORTH, [A])).to.equal(false);
    expect(steps.filter((step) => step === 'failed')).to.have.length(1);
    state.isDown = false;
    clock.advance(RETRY_MS);
    expect(await seeder.seed(NORTH, [A])).to.equal(true);
  });
});
