import {
  SpendServiceService,
  type ExchangeLeasesRequest,
  type PaceAnchor,
} from '@placard/protos/events/v1/events.js';
import { openGrpcClient, openGrpcServer } from '@placard/service-kit/grpc';
import { asAdvertiserId, asCampaignId, MINUTE_MS, minuteOf } from '@placard/service-kit/pure';
import { makeTestClock, makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { implementSpendService } from '../../events-service/src/budgets/rpc/spend.js';
import { makeCloseLeases } from '../../events-service/src/budgets/usecase/close-leases.js';
import { makeExchangeLeases } from '../../events-service/src/budgets/usecase/exchange-leases.js';
import { faultsOf, openBed, openStores, send } from '../../events-service/test/support/bed.js';
import { openFakeSpend } from '../../serving-service/test/support/fake-peers.js';
import { describeExchangeLeases } from './exchange-leases.suite.js';
import { aWant, COST, START_MS, type LeaseBooks, type LeaseName } from './lease-books.js';

function connect(scope: TestScope, address: string): Pick<LeaseBooks, 'exchange'> {
  const client = openGrpcClient(scope, SpendServiceService, { address, name: 'events-service' });
  return { exchange: (request) => client.exchangeLeases(request) };
}

/** events-service on an empty database. */
async function openEventsService(): Promise<LeaseBooks> {
  const scope = makeTestScope();
  const bed = await openBed();
  const { clock, pool } = bed;
  clock.set(START_MS);
  const { leases } = openStores(pool);
  const notHere = (): Promise<never> => Promise.reject(new Error('not here'));
  const service = implementSpendService({
    exchangeLeases: makeExchangeLeases(leases, clock),
    reportServing: notHere,
    getTrafficCurves: notHere,
  });
  const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services: [service] });
  const instance = bed.instance();
  return {
    clock,
    ...connect(scope, `127.0.0.1:${port}`),
    async judge({ advertiserId, campaignId, minute, run }, costNanos, verdict) {
      const filledAtMs = minute * MINUTE_MS;
      const claims = bed.fill({
        advertiserId: asAdvertiserId(advertiserId),
        campaignId: asCampaignId(campaignId),
        leaseRun: run,
        costNanos,
        filledAtMs,
      });
      if (verdict === 'suspicious')
        instance.fraud.rules.set(claims.requestId, 'session_impressions_per_hour');
      expect(await send(instance, 'impression', claims)).to.equal(verdict);
    },
    release: ({ campaignId, minute, run }) =>
      leases.releaseSuspicious([{ campaignId: asCampaignId(campaignId), minute, run }]),
    closeDue: makeCloseLeases({ leases, clock, onClosed: () => undefined }),
    async close() {
      const faults = await faultsOf(pool);
      await scope.close();
      await bed.drop();
      expect(faults).to.deep.equal({});
    },
  };
}

/** What stands for events-service in the tests of serving-service. */
async function openStandIn(): Promise<LeaseBooks> {
  const scope = makeTestScope();
  const clock = makeTestClock(START_MS);
  const { bank, address } = await openFakeSpend(scope, () => clock.now());
  return {
    clock,
    ...connect(scope, address),
    judge(lease, costNanos, verdict) {
      bank.count(lease, costNanos, verdict);
      return Promise.resolve();
    },
    release(lease) {
      bank.release(lease);
      return Promise.resolve();
    },
    closeDue() {
      bank.closeDue();
      return Promise.resolve();
    },
    close: () => scope.close(),
  };
}

describeExchangeLeases('of events-service', openEventsService);
describeExchangeLeases('of the stand-in that serving-service is tested with', openStandIn);

const PACE = {
  anchorSinceMs: undefined,
  budgetNanos: 15n * COST,
  planNanos: 8 * Number(COST),
  mostNanos: 5 * Number(COST),
  show: 0.5,
  late: 0.25,
};

/** One thing that happens to leases; amounts in ads. */
interface Step {
  readonly run: number;
  readonly waitMs: number;
  readonly campaigns: readonly { readonly id: number; readonly ads: number; readonly isPaced: boolean }[];
  readonly minutesAhead: number;
  readonly returned: number;
  readonly isEnded: boolean;
  readonly impressions: 'none' | 'accepted' | 'suspicious';
}

const steps = fc.array(
  fc.record<Step>({
    run: fc.nat(1),
    // A replica is noted once a second: less apart, events-service may count the replicas of a moment ago.
    waitMs: fc.constantFrom(1_000, 3_000, 7_000, 59_000, 130_000, 2_000_000),
    campaigns: fc.array(
      fc.record({ id: fc.nat(2), ads: fc.integer({ min: 1, max: 12 }), isPaced: fc.boolean() }),
      { maxLength: 3 },
    ),
    minutesAhead: fc.constantFrom(0, 0, 0, 1, -3),
    returned: fc.nat(8),
    isEnded: fc.constantFrom(false, false, true),
    impressions: fc.constantFrom('none', 'accepted', 'accepted', 'suspicious'),
  }),
  { minLength: 4, maxLength: 14, size: 'max' },
);

/** What a lease has come to, in ads. */
interface Held {
  readonly lease: LeaseName;
  granted: number;
  judged: number;
  returned: number;
}

/** A history on both books, with an advertiser and replicas of its own. */
class History {
  readonly #all: readonly LeaseBooks[];
  readonly #number: number;
  readonly #held = new Map<string, Held>();
  readonly #anchors = new Map<string, PaceAnchor | undefined>();

  constructor(all: readonly LeaseBooks[], number: number) {
    this.#all = all;
    this.#number = number;
  }

  async take(step: Step): Promise<void> {
    for (const { clock } of this.#all) clock.advance(step.waitMs);
    const request = this.#toRequest(step);
    const [answers, others] = await Promise.all(this.#all.map((books) => books.exchange(request)));
    expect(others).to.deep.equal(answers);
    for (const [at, { grantedNanos, anchor }] of answers!.wants.entries()) {
      const { advertiserId, campaignId, minute } = request.wants[at]!;
      const held = this.#heldOf({ advertiserId, campaignId, minute: Number(minute), run: request.run });
      held.granted = Number(grantedNanos / COST);
      this.#anchors.set(campaignId, anchor ?? this.#anchors.get(campaignId));
    }
    if (step.impressions !== 'none') await this.#judgeOne(step.impressions);
    for (const books of this.#all) await books.closeDue();
  }

  get #nowMs(): number {
    return this.#all[0]!.clock.now();
  }

  #heldOf(lease: LeaseName): Held {
    const key = `${lease.campaignId}|${lease.minute}|${lease.run}`;
    const held = this.#held.get(key) ?? { lease, granted: 0, judged: 0, returned: 0 };
    this.#held.set(key, held);
    return held;
  }

  /** Judges the impression of an ad of this minute that was granted and not returned, if there is one. */
  async #judgeOne(verdict: 'accepted' | 'suspicious'): Promise<void> {
    const minute = minuteOf(this.#nowMs);
    const sold = [...this.#held.values()].find(
      ({ lease, granted, judged, returned }) => lease.minute === minute && granted - returned > judged,
    );
    if (sold === undefined) return;
    sold.judged += 1;
    for (const books of this.#all) {
      await books.judge(sold.lease, COST, verdict);
      if (verdict === 'suspicious') await books.release(sold.lease);
    }
  }

  #toRequest({ run, campaigns, minutesAhead, returned, isEnded }: Step): ExchangeLeasesRequest {
    const nowMs = this.#nowMs;
    const advertiserId = `adv_${this.#number}`;
    const name = { advertiserId, run: `run-${this.#number}-${run}`, minute: minuteOf(nowMs) };
    const ids = campaigns.map(({ id }) => `cmp_${this.#number}_${id}`);
    const reports = [...new Set(ids)].map((campaignId) => {
      const held = this.#heldOf({ ...name, campaignId });
      held.returned = Math.max(held.returned, returned);
      return {
        campaignId,
        minute: BigInt(name.minute),
        // One ad more than was shown so far, if it was granted.
        filledNanos:
          BigInt(Math.max(held.judged, Math.min(held.judged + 1, held.granted - held.returned))) * COST,
        returnedNanos: BigInt(returned) * COST,
        ended: isEnded,
      };
    });
    const wants = campaigns.map(({ id, ads, isPaced }, at) =>
      aWant(nowMs, {
        advertiserId,
        campaignId: ids[at]!,
        minute: BigInt(name.minute + minutesAhead),
        grantedMaxNanos: BigInt(ads) * COST,
        totalLimitNanos: id === 0 ? 20n * COST : undefined,
        dailyLimitNanos: 15n * COST,
        fundedNanos: 40n * COST,
        pace: isPaced ? { ...PACE, anchor: this.#anchors.get(ids[at]!) } : undefined,
      }),
    );
    return { run: name.run, atMs: BigInt(nowMs), reports, wants, peeks: wants };
  }
}

describe('budget leases of events-service and of its stand-in', () => {
  it('are answered alike, whatever replicas ask and report', async () => {
    const all = await Promise.all([openEventsService(), openStandIn()]);
    let count = 0;
    const property = fc.asyncProperty(steps, async (walk) => {
      // The replicas of the history before are gone.
      for (const { clock } of all) clock.advance(MINUTE_MS);
      count += 1;
      const history = new History(all, count);
      for (const step of walk) await history.take(step);
    });
    try {
      await fc.assert(property, { numRuns: 12 });
    } finally {
      for (const books of all) await books.close();
    }
  });
});
