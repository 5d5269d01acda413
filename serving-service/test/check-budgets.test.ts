import { expect } from 'chai';
import { makeTestClock } from '@placard/service-kit/testing';
import { dayOf, minuteOf, type AdvertiserId, type CampaignId, type Nanos } from '@placard/service-kit/pure';
import type { BudgetTruth } from '../src/domain/budget.js';
import { CampaignIndex } from '../src/domain/campaign-index.js';
import type { Overspend } from '../src/domain/overspend.js';
import { makeCheckBudgets } from '../src/usecase/check-budgets.js';
import { COMPARED_MINUTES_MAX } from '../src/usecase/watch-reservations.js';
import { aCampaign, aCatalog, anAdvertiser, NOON } from './support/world.js';

const campaign = aCampaign({ budgetTotalNanos: 100n, budgetDailyNanos: 80n });
const index = CampaignIndex.of(
  aCatalog({ advertisers: [anAdvertiser({ fundedNanos: 120n })], campaigns: [campaign] }),
);

const minute = { campaignId: campaign.id, minute: minuteOf(NOON) };

function openMinute(at: number, reservedNanos: Nanos) {
  return { ...minute, minute: at, reservedNanos, acceptedNanos: 0n, expiresAtMs: NOON + 1_000 };
}

function open() {
  const state = {
    acceptedNanos: 0n as Nanos,
    todayNanos: 0n as Nanos,
    counted: 0n as Nanos | null,
    openNanos: 0n as Nanos,
    reportedNanos: 0n as Nanos,
    /** Before the one that is open, others of which all is over. */
    otherMinutes: 0,
  };
  const told: Overspend[] = [];
  const renewed: string[] = [];
  const check = makeCheckBudgets({
    index,
    clock: makeTestClock(NOON),
    flushReport: () => Promise.resolve(),
    onOverspend: (overspend) => told.push(overspend),
    budgets: {
      advertiserUsed: () => Promise.resolve(state.counted),
      generationOf: () => Promise.resolve('7'),
      renew(id, generation) {
        renewed.push(`${id} ${generation}`);
        return Promise.resolve();
      },
    },
    spend: {
      budgetTruth: (_: AdvertiserId, ids: readonly CampaignId[]): Promise<BudgetTruth> =>
        Promise.resolve({
          advertiserAcceptedNanos: state.acceptedNanos,
          openMinutes:
            state.openNanos === 0n
              ? []
              : [
                  ...Array.from({ length: state.otherMinutes }, (_, at) => openMinute(at, 0n)),
                  openMinute(minute.minute, state.openNanos),
                ],
          campaigns: ids.map((campaignId) => ({
            campaignId,
            acceptedNanos: state.acceptedNanos,
            acceptedByDay: new Map([[dayOf(NOON), state.todayNanos]]),
          })),
        }),
      reportReservations(held) {
        expect(held.length, 'of one call').to.be.at.most(COMPARED_MINUTES_MAX);
        expect(held.every(({ reservedNanos }) => reservedNanos === 0n)).to.equal(true);
        const { openNanos: knownNanos, reportedNanos } = state;
        return Promise.resolve(
          held.map((asked) =>
            asked.minute === minute.minute
              ? { ...minute, knownNanos, reportedNanos }
              : { ...asked, knownNanos: 0n, reportedNanos: 0n },
          ),
        );
      },
    },
  });
  return { state, told, renewed, check };
}

describe('the comparison of budgets with the truth', () => {
  it('tells drift in both directions, and has counters rebuilt that hold too little', async () => {
    const { state, check, renewed } = open();
    Object.assign(state, { acceptedNanos: 50n, counted: 60n });
    expect(await check()).to.include({ overNanos: 10n, underNanos: 0n });
    expect(renewed).to.eql([]);
    state.counted = 45n;
    expect(await check()).to.include({ overNanos: 0n, underNanos: 5n });
    expect(renewed).to.eql(['adv_north 7']);
    state.counted = null;
    expect(await check(), 'what is unknown has no drift').to.include({ overNanos: 0n, underNanos: 0n });
  });

  it('does not take for a loss what another replica has found before it was reported, and so counts twice', async () => {
    const { state, check, renewed } = open();
    Object.assign(state, { counted: 20n, openNanos: 40n, reportedNanos: 20n });
    expect(await check()).to.include({ overNanos: 0n, underNanos: 0n });
    expect(renewed).to.eql([]);
    state.counted = 19n;
    expect(await check()).to.include({ overNanos: 0n, underNanos: 1n });
    expect(renewed).to.eql(['adv_north 7']);
  });

  it('does so for every open minute of an advertiser, however many there are', async () => {
    const { state, check, renewed } = open();
    Object.assign(state, {
      counted: 20n,
      openNanos: 40n,
      reportedNanos: 20n,
      otherMinutes: COMPARED_MINUTES_MAX,
    });
    expect(await check()).to.include({ overNanos: 0n, underNanos: 0n });
    expect(renewed).to.eql([]);
  });

  it('tells each overspend once, again only when it grows, and by what', async () => {
    const { state, check, told } = open();
    Object.assign(state, { acceptedNanos: 70n, todayNanos: 70n, counted: 70n });
    expect((await check()).overspends).to.eql([]);
    Object.assign(state, { acceptedNanos: 125n, todayNanos: 90n, counted: 125n });
    const { overspends } = await check();
    expect(overspends).to.eql([
      { limit: 'total', id: 'cmp_spring', day: null, overNanos: 25n },
      { limit: 'day', id: 'cmp_spring', day: dayOf(NOON), overNanos: 10n },
      { limit: 'balance', id: 'adv_north', day: null, overNanos: 5n },
    ]);
    await check();
    expect(told).to.eql(overspends);
    state.acceptedNanos = 126n;
    await check();
    expect(told.slice(3).map(({ limit, overNanos }) => [limit, overNanos])).to.eql([
      ['total', 26n],
      ['balance', 6n],
    ]);
  });
});
