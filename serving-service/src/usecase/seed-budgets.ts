import type { AdvertiserId, CampaignId, Clock } from '@placard/service-kit/pure';
import type { SpendClient } from '../clients/spend-client.js';
import { toSeed, type BudgetTruth } from '../domain/budget.js';
import type { BudgetStore } from '../store/budget-store.js';

/**
 * How long all replicas have to report their last fills when the store has lost its memory under traffic: they report
 * each second, and at once when they notice.
 */
export const QUIET_MS = 2_000;
/** Shortest rest between two attempts for one advertiser, so that a peer that is down is not asked with each request. */
export const RETRY_MS = 1_000;
/** Advertisers whose last failure is remembered. */
const FAILURES_MAX = 10_000;

/** What seeding needs. */
export interface SeedDeps {
  readonly budgets: Pick<BudgetStore, 'seed' | 'isKnown'>;
  readonly spend: Pick<SpendClient, 'budgetTruth'>;
  /** Hands over every fill that was counted so far. */
  readonly flushReport: () => Promise<void>;
  /** Every campaign of an advertiser. */
  readonly siblings: (advertiserId: AdvertiserId) => Iterable<CampaignId>;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly onOutcome: (outcome: 'seeded' | 'failed', error?: unknown) => void;
}

/** Fills counters that the store does not know from what events-service knows. */
export interface BudgetSeeder {
  /**
   * Resolves with true when the counters of the advertiser and of the given campaigns are there, and with false when
   * events-service or the store cannot be asked, or when the attempt waits for the other replicas' reports: it goes on
   * then. Calls for one advertiser share one attempt. Never rejects.
   */
  seed(advertiserId: AdvertiserId, campaignIds: readonly CampaignId[]): Promise<boolean>;
}

/** A counter that is missing is never taken for zero. */
export function makeBudgetSeeder(deps: SeedDeps): BudgetSeeder {
  const running = new Map<AdvertiserId, Promise<boolean>>();
  const failedAt = new Map<AdvertiserId, number>();
  const attempt = async (
    advertiserId: AdvertiserId,
    campaignIds: readonly CampaignId[],
    onQuiet: () => void,
  ): Promise<boolean> => {
    try {
      await seedOnce(deps, { advertiserId, campaignIds, onQuiet });
      failedAt.delete(advertiserId);
      deps.onOutcome('seeded');
      return true;
    } catch (error) {
      if (failedAt.size >= FAILURES_MAX) failedAt.clear();
      failedAt.set(advertiserId, deps.clock.now());
      deps.onOutcome('failed', error);
      return false;
    } finally {
      running.delete(advertiserId);
    }
  };
  return {
    seed(advertiserId, campaignIds) {
      const shared = running.get(advertiserId);
      if (shared !== undefined) return shared;
      const failed = failedAt.get(advertiserId);
      if (failed !== undefined && deps.clock.now() - failed < RETRY_MS) return Promise.resolve(false);
      const answered = new Promise<boolean>((resolve) => {
        void attempt(advertiserId, campaignIds, () => resolve(false)).then(resolve);
      });
      running.set(advertiserId, answered);
      return answered;
    },
  };
}

interface SeedTask {
  readonly advertiserId: AdvertiserId;
  readonly campaignIds: readonly CampaignId[];
  /** Called when the attempt begins to wait for the other replicas. */
  readonly onQuiet: () => void;
}

async function seedOnce(deps: SeedDeps, { advertiserId, campaignIds, onQuiet }: SeedTask): Promise<void> {
  // While the advertiser's counter is there, the store has its memory: the campaigns are new, or their day is.
  const isLost = !(await deps.budgets.isKnown(advertiserId));
  const asked = isLost ? [...new Set([...deps.siblings(advertiserId), ...campaignIds])] : campaignIds;
  await deps.flushReport();
  let truth = await wholeTruth(deps, advertiserId, asked);
  if (isLost && truth.openMinutes.length > 0) {
    onQuiet();
    await deps.wait(QUIET_MS);
    await deps.flushReport();
    truth = await wholeTruth(deps, advertiserId, asked);
  }
  await deps.budgets.seed(toSeed(advertiserId, truth, deps.clock.now()));
}

/** The truth, with every campaign that has open minutes, also those that the catalog no longer knows. */
async function wholeTruth(
  deps: SeedDeps,
  advertiserId: AdvertiserId,
  campaignIds: readonly CampaignId[],
): Promise<BudgetTruth> {
  const truth = await deps.spend.budgetTruth(advertiserId, campaignIds);
  const asked = new Set(campaignIds);
  const others = new Set(truth.openMinutes.map((open) => open.campaignId).filter((id) => !asked.has(id)));
  if (others.size === 0) return truth;
  return deps.spend.budgetTruth(advertiserId, [...asked, ...others]);
}
