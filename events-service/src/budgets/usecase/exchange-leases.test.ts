import { DAY_MS, MINUTE_MS, asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import { AppError } from '@placard/service-kit';
import { expect } from 'chai';
import type { LeaseReport, LeaseWant, WantPace } from '../domain/lease.js';
import { makeExchangeLeases } from './exchange-leases.js';

const MINUTE = 29_000_000;
const END_MS = (MINUTE + 1) * MINUTE_MS;

describe('an exchange of leases', () => {
  const pace: WantPace = {
    anchor: null,
    anchorSinceMs: null,
    budgetNanos: 100n,
    planNanos: 50.5,
    mostNanos: null,
    show: 0.7,
    late: 0.25,
  };
  const want: LeaseWant = {
    advertiserId: asAdvertiserId('adv'),
    campaignId: asCampaignId('cmp'),
    minute: MINUTE,
    costNanos: 1n,
    grantedMaxNanos: 5n,
    totalLimitNanos: null,
    dailyLimitNanos: null,
    fundedNanos: 10n,
    expiresAtMs: END_MS + DAY_MS,
    pace,
  };
  const report: LeaseReport = {
    campaignId: asCampaignId('cmp'),
    minute: MINUTE,
    filledNanos: 0n,
    returnedNanos: 0n,
    isEnded: false,
  };

  /** The code of the error; null: the exchange reached the store. */
  async function faultOf(what: {
    readonly run?: string;
    readonly want?: Partial<LeaseWant>;
    readonly pace?: Partial<WantPace>;
    readonly report?: Partial<LeaseReport>;
  }): Promise<string | null> {
    const store = { exchange: () => Promise.resolve({ wants: [], peeks: [] }) };
    const exchange = makeExchangeLeases(store, { now: () => END_MS - 1 });
    const wants = [{ ...want, ...what.want, pace: { ...pace, ...what.pace } }];
    const given = {
      run: what.run ?? 'run',
      atMs: END_MS,
      reports: [{ ...report, ...what.report }],
      peeks: [],
    };
    return exchange({ ...given, wants }).then(
      () => null,
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  }

  it('passes a replica’s exchange to the store', async () => {
    expect(await faultOf({})).to.equal(null);
    expect(await faultOf({ pace: { mostNanos: 0 } })).to.equal(null);
  });

  const nonsense: readonly (readonly [string, Parameters<typeof faultOf>[0]])[] = [
    ['no run', { run: '' }],
    ['a price of nothing', { want: { costNanos: 0n } }],
    ['a minute that is no exact number', { want: { minute: 2 ** 60 } }],
    ['a report of a minute that is no exact number', { report: { minute: 2 ** 60 } }],
    ['a return below zero', { report: { returnedNanos: -1n } }],
    ['ads that end days after their minute', { want: { expiresAtMs: END_MS + DAY_MS + 1 } }],
    ['a plan that is no number', { pace: { planNanos: NaN } }],
    ['a plan without end', { pace: { planNanos: Infinity } }],
    ['a brake that is no number', { pace: { mostNanos: NaN } }],
    ['a show rate that is no number', { pace: { show: NaN } }],
    ['a show rate below zero', { pace: { show: -0.1 } }],
    ['a late rate above one', { pace: { late: 1.1 } }],
  ];
  for (const [what, given] of nonsense) {
    it(`refuses ${what}`, async () => {
      expect(await faultOf(given)).to.equal('invalid_argument');
    });
  }
});
