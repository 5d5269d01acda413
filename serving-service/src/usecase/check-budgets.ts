import { dayOf, type AdvertiserId, type CampaignId, type Clock, type Nanos } from '@placard/service-kit/pure';
import type { SpendClient } from '../clients/spend-client.js';
import { toSeed, type BudgetSeed, type BudgetTruth } from '../domain/budget.js';
import type { IndexedCampaign } from '../domain/indexed-campaign.js';
import {
  allowedFor,
  overspendOf,
  type LimitMemory,
  type LimitUse,
  type Overspend,
} from '../domain/overspend.js';
import type { BudgetStore } from '../store/budget-store.js';
import { questionsOf } from './watch-reservations.js';

/** Advertisers that are compared in one round. */
export const ADVERTISERS_MAX = 32;
/** Campaigns of one advertiser whose limits are looked at. */
const CAMPAIGNS_MAX = 1_000;
/** Limits that are remembered. */
const LIMITS_MAX = 200_000;

/** What comparing needs. */
export interface CheckBudgetsDeps {
  readonly budgets: Pick<BudgetStore, 'advertiserUsed' | 'generationOf' | 'renew'>;
  readonly spend: Pick<SpendClient, 'budgetTruth' | 'reportReservations'>;
  readonly flushReport: () => Promise<void>;
  readonly index: {
    advertiserIds(): readonly AdvertiserId[];
    siblings(id: AdvertiserId): Iterable<CampaignId>;
    get(id: CampaignId): IndexedCampaign | undefined;
  };
  readonly clock: Clock;
  /** Told of a limit that is overspent by more than before. */
  readonly onOverspend: (overspend: Overspend) => void;
}

/**
 * How far counters and truth were apart in a round. `over`: counters hold more than events-service knows, which holds
 * money back for a while (fills that are over and not closed yet are part of it); `under`: they hold less, which may
 * sell money twice: they are rebuilt.
 */
export interface BudgetCheck {
  readonly overNanos: Nanos;
  readonly underNanos: Nanos;
  /** All that is known to be overspent. */
  readonly overspends: readonly Overspend[];
}

/**
 * Compares the next few advertisers' counters with what events-service knows, and accepted spend with the limits. Rejects
 * when the store or events-service cannot be reached.
 */
export type CheckBudgets = () => Promise<BudgetCheck>;

/** Makes the use case. */
export function makeCheckBudgets(deps: CheckBudgetsDeps): CheckBudgets {
  let next = 0;
  const overspends = new OverspendMemory(deps.onOverspend);
  return async () => {
    const all = deps.index.advertiserIds();
    if (next >= all.length) next = 0;
    const ids = all.slice(next, next + ADVERTISERS_MAX);
    next += ids.length;
    await deps.flushReport();
    const drifts = await Promise.all(ids.map((id) => checkOne(deps, id, overspends)));
    let overNanos = 0n;
    let underNanos = 0n;
    for (const drift of drifts) {
      if (drift > 0n) overNanos += drift;
      else underNanos -= drift;
    }
    overspends.forgetDaysBefore(dayOf(deps.clock.now()) - 1);
    return { overNanos, underNanos, overspends: overspends.all() };
  };
}

async function checkOne(
  deps: CheckBudgetsDeps,
  id: AdvertiserId,
  overspends: OverspendMemory,
): Promise<Nanos> {
  const generation = await deps.budgets.generationOf(id);
  const campaignIds = [...deps.index.siblings(id)].slice(0, CAMPAIGNS_MAX);
  const truth = await deps.spend.budgetTruth(id, campaignIds);
  const expected = toSeed(id, truth, deps.clock.now());
  for (const use of usesOf(deps, truth, expected)) overspends.note(use);
  // After the truth: what is filled meanwhile is more, never less.
  const drift = await driftFrom(deps, id, expected.usedNanos);
  if (drift >= 0n) return drift;
  // What is given back meanwhile is less, so a second look decides.
  const truthAgain = await deps.spend.budgetTruth(id, []);
  const again = toSeed(id, truthAgain, deps.clock.now());
  const confirmed = await driftFrom(deps, id, again.usedNanos - (await countedTwice(deps, id, truthAgain)));
  if (confirmed >= 0n) return 0n;
  if (generation !== null) await deps.budgets.renew(id, generation);
  return confirmed;
}

/**
 * What the truth may hold twice: a fill that another replica found in Redis before the one that gave it had reported it. With
 * several replicas that is so all the time, and no loss.
 */
async function countedTwice(
  deps: CheckBudgetsDeps,
  advertiserId: AdvertiserId,
  { openMinutes }: BudgetTruth,
): Promise<Nanos> {
  // Of nothing held there is nothing new to keep: this only asks.
  const nothingHeld = { advertiserId, reservedNanos: 0n, shownNanos: 0n, openCount: 0, generation: '' };
  let twiceNanos = 0n;
  for (const part of questionsOf(openMinutes)) {
    const known = await deps.spend.reportReservations(part.map((open) => ({ ...open, ...nothingHeld })));
    for (const { knownNanos, reportedNanos } of known) twiceNanos += knownNanos - reportedNanos;
  }
  return twiceNanos;
}

async function driftFrom(deps: CheckBudgetsDeps, id: AdvertiserId, expected: Nanos): Promise<Nanos> {
  const used = await deps.budgets.advertiserUsed(id);
  return used === null ? 0n : used - expected;
}

/** The limits of an advertiser and its campaigns, with what the truth says of them. */
function usesOf(deps: CheckBudgetsDeps, truth: BudgetTruth, seed: BudgetSeed): LimitUse[] {
  const uses: LimitUse[] = [];
  let advertiser: IndexedCampaign['advertiser'] | null = null;
  for (const [at, { campaignId, acceptedNanos }] of truth.campaigns.entries()) {
    const entry = deps.index.get(campaignId);
    const seeded = seed.campaigns[at];
    if (entry === undefined || seeded === undefined) continue;
    advertiser = entry.advertiser;
    const { budgetTotalNanos, budgetDailyNanos } = entry.campaign;
    const of = { id: campaignId, acceptedNanos };
    if (budgetTotalNanos !== null) {
      const { usedNanos } = seeded;
      uses.push({ ...of, limit: 'total', day: null, limitNanos: budgetTotalNanos, usedNanos });
    }
    if (budgetDailyNanos !== null) {
      uses.push({ ...seeded.today, limit: 'day', id: campaignId, limitNanos: budgetDailyNanos });
    }
  }
  if (advertiser === null) return uses;
  const { id, fundedNanos } = advertiser;
  const { usedNanos } = seed;
  const acceptedNanos = truth.advertiserAcceptedNanos;
  return [...uses, { limit: 'balance', id, day: null, limitNanos: fundedNanos, acceptedNanos, usedNanos }];
}

/** What is known of limits and of what was accepted beyond them. */
class OverspendMemory {
  readonly #limits = new Map<string, LimitMemory>();
  readonly #overspends = new Map<string, Overspend>();
  readonly #onOverspend: (overspend: Overspend) => void;

  constructor(onOverspend: (overspend: Overspend) => void) {
    this.#onOverspend = onOverspend;
  }

  note(use: LimitUse): void {
    const name = `${use.limit}|${use.id}|${use.day ?? ''}`;
    const memory = allowedFor(use, this.#limits.get(name) ?? null);
    if (this.#limits.size < LIMITS_MAX || this.#limits.has(name)) this.#limits.set(name, memory);
    const overspend = overspendOf(use, memory);
    const before = this.#overspends.get(name)?.overNanos ?? 0n;
    if (overspend === null) this.#overspends.delete(name);
    else this.#overspends.set(name, overspend);
    if (overspend !== null && overspend.overNanos > before) this.#onOverspend(overspend);
  }

  all(): readonly Overspend[] {
    return [...this.#overspends.values()];
  }

  forgetDaysBefore(day: number): void {
    for (const name of this.#limits.keys()) {
      const [limit, , of] = name.split('|');
      if (limit !== 'day' || Number(of) >= day) continue;
      this.#limits.delete(name);
      this.#overspends.delete(name);
    }
  }
}
