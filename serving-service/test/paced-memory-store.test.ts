import {
  asAdvertiserId,
  asCampaignId,
  MINUTE_MS,
  minuteOf,
  type PaceAnchor,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LeaseWant } from '../src/budgets/domain/lease-want.js';
import { fromExchange, toExchange } from '../src/clients/lease-wire.js';
import { LeaseBank } from './support/lease-bank.js';
import { PacedMemoryStore } from './support/paced-memory-store.js';
import { AD_TTL_MS, NOON } from './support/world.js';

const COST = 1_000n;
const CAMPAIGN = asCampaignId('cmp_a');
const RUN = 'run-1';
const GRACE_MS = MINUTE_MS;

/** One ad is asked for, and shown if it was granted and is to be shown; in ads. */
interface Step {
  readonly waitMs: number;
  readonly isShown: boolean;
  readonly plan: number;
  readonly most: number | null;
  readonly isClosing: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    waitMs: fc.constantFrom(0, 0, 1_000, 20_000, 61_000, 150_000, 2_000_000),
    isShown: fc.boolean(),
    plan: fc.integer({ min: 0, max: 12 }),
    most: fc.option(fc.integer({ min: 0, max: 4 })),
    isClosing: fc.boolean(),
  }),
  { maxLength: 80, size: 'max' },
);

function wantOf(nowMs: number, { plan, most }: Step, anchor: PaceAnchor | null): LeaseWant {
  const minute = minuteOf(nowMs);
  return {
    advertiserId: asAdvertiserId('adv_a'),
    campaignId: CAMPAIGN,
    minute,
    costNanos: COST,
    grantedMaxNanos: 0n,
    totalLimitNanos: null,
    dailyLimitNanos: 10n * COST,
    fundedNanos: 1_000n * COST,
    expiresAtMs: (minute + 1) * MINUTE_MS + AD_TTL_MS,
    pace: {
      anchor,
      anchorSinceMs: null,
      budgetNanos: 10n * COST,
      limits: {
        planNanos: plan * Number(COST),
        mostNanos: most === null ? null : most * Number(COST),
        show: 0.5,
        late: 0.25,
      },
    },
  };
}

describe('the grants of simulated days', () => {
  it('are those of the stand-in for events-service, for any sequence of single ads', () => {
    const property = fc.property(steps, (history) => {
      let nowMs = NOON;
      let anchor: PaceAnchor | null = null;
      const bank = new LeaseBank(() => nowMs);
      const store = new PacedMemoryStore();
      for (const step of history) {
        nowMs += step.waitMs;
        const want = wantOf(nowMs, step, anchor);
        const lease = { campaignId: CAMPAIGN, minute: want.minute, run: RUN };
        const key = `${CAMPAIGN}|${want.minute}|${RUN}`;
        const grantedMaxNanos = (bank.leases.get(key)?.granted ?? 0n) + COST;
        const request = {
          run: RUN,
          atMs: nowMs,
          reports: [],
          wants: [{ ...want, grantedMaxNanos }],
          peeks: [],
        };
        const answer = fromExchange(bank.exchange(toExchange(request))).wants[0]!;
        const finding = store.reserve(want, nowMs);
        expect(finding.verdict).to.equal(answer.verdict);
        anchor = answer.anchor;
        if (answer.verdict === 'granted' && step.isShown) {
          bank.count(lease, COST, 'accepted');
          store.markShown({ campaignId: CAMPAIGN, costNanos: COST, filledAtMs: nowMs }, nowMs);
        }
        if (!step.isClosing) continue;
        const acceptedOf = (minute: number): number =>
          Number(bank.leases.get(`${CAMPAIGN}|${minute}|${RUN}`)?.accepted ?? 0n);
        bank.closeDue();
        store.closeDue(
          nowMs - GRACE_MS - 1,
          (_, minute) => acceptedOf(minute),
          () => undefined,
        );
      }
    });
    fc.assert(property, { numRuns: 100 });
  });
});
