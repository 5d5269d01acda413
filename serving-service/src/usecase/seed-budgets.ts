import type { AdvertiserId, CampaignId, Clock } from '@placard/service-kit/pure';
import type { SpendClient } from '../clients/spend-client.js';
import { toSeed, type BudgetTruth } from '../domain/budget.js';
import { QUIET_MS, type BudgetStore, type Generation, type OpenShard } from '../store/budget-store.js';

/** Shortest rest between two attempts for one advertiser, so that a peer that is down is not asked with each request. */
export const RETRY_MS = 1_000;
/** Advertisers whose last failure is remembered. */
const FAILURES_MAX = 10_000;

/** What seeding needs. */
export interface SeedDeps {
  readonly budgets: Pick<BudgetStore, 'open' | 'seed' | 'isKnown'>;
  readonly spend: Pick<SpendClient, 'budgetTruth'>;
  /** Hands over every fill that was counted so far. */
  readonly flushReport: () => Promise<void>;
  /** Tells events-service what counters of before hold beyond what was reported. */
  readonly tellReservations: (generation: Generation) => Promise<void>;
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
  // Before the shard is opened: whoever opens it again has nothing left to report from before its loss.
  await deps.flushReport();
  const shard = await deps.budgets.open(advertiserId);
  // While the advertiser's counter is there, the store has its memory: the campaigns are new, or their day is.
  const isLost = !(await deps.budgets.isKnown(advertiserId));
  const asked = isLost ? [...new Set([...deps.siblings(advertiserId), ...campaignIds])] : campaignIds;
  // What is left of lost counters may be fills that a replica that died has never reported.
  if (isLost) await deps.tellReservations(shard.generation);
  let truth = await wholeTruth(deps, advertiserId, asked);
  const waitMs = isLost && !shard.isAlone ? quietMs(shard, truth) : 0;
  // Several replicas ask at once when an advertiser begins: the open fills may be those of the one that was first.
  if (waitMs > 0 && !(await deps.budgets.isKnown(advertiserId))) {
    onQuiet();
    await deps.wait(waitMs);
    await deps.flushReport();
    truth = await wholeTruth(deps, advertiserId, asked);
  }
  const count = await deps.budgets.seed(toSeed(advertiserId, truth, deps.clock.now()), shard.generation);
  if (count === null) throw new Error('the store has lost its memory again');
}

/** How long the other replicas' last reports are waited for: not where there is no traffic and nobody has noticed a loss. */
function quietMs(shard: OpenShard, truth: BudgetTruth): number {
  return Math.max(shard.quietMs, truth.openMinutes.length > 0 ? QUIET_MS : 0);
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
