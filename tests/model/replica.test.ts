import { makeTestClock, makeTestRandom } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { LeaseAnswers, LeaseExchange } from '../../events-service/src/budgets/store/leases.js';
import { Market } from './market.js';
import { Network } from './network.js';
import { Replica } from './replica.js';

const NONE = [null, null, null, null];

describe('a replica of the model of budgets', () => {
  it('holds no answer that was let through while its exchange was on its way', async () => {
    const arrivals: (() => void)[] = [];
    const exchange = async ({ wants, peeks }: LeaseExchange): Promise<LeaseAnswers> => {
      await new Promise<void>((resolve) => arrivals.push(resolve));
      const refused = { grantedNanos: 0n, isScarce: true, anchor: null, closedFills: null };
      const left = { totalLeftNanos: null, dailyLeftNanos: null };
      const answer = () => ({ ...refused, ...left, verdict: 'total' as const });
      return { wants: wants.map(answer), peeks: peeks.map(answer) };
    };
    const one = new Replica({
      market: new Market({ totals: NONE, days: NONE, funds: [1_000, 1_000] }),
      network: new Network(exchange),
      clock: makeTestClock(Date.UTC(2026, 4, 1)),
      random: makeTestRandom(1),
      run: 'run-1',
      adTtlMs: 60_000,
      offMs: 0,
    });
    const arrived = async (): Promise<() => void> => {
      for (;;) {
        const arrival = arrivals.shift();
        if (arrival !== undefined) return arrival;
        await new Promise(setImmediate);
      }
    };
    one.setPatient(true);
    one.passages = ['held'];
    const asked = one.request(0);
    const arrive = await arrived();
    one.letThrough();
    arrive();
    expect(await asked).to.equal(null);
  });
});
