import { minuteOf, type Clock, type Nanos } from '@placard/service-kit/pure';
import type { KnownReservation, SpendClient } from '../clients/spend-client.js';
import type { HeldMinute } from '../domain/budget.js';
import { holdingsOf, type Holdings } from '../domain/holdings.js';
import type { BudgetStore, Generation } from '../store/budget-store.js';

/** Open minutes that are read in one round; those whose fills are over first are left out beyond it. */
export const WATCHED_MINUTES_MAX = 50_000;
/** Minutes of one question to events-service. */
export const COMPARED_MINUTES_MAX = 2_000;
/** Time between two rounds. */
export const ROUND_MS = 20_000;
/** A comparison of all minutes serves all who ask for it in this time. */
const WHOLE_FRESH_MS = 1_000;

/** What watching needs. */
export interface WatchDeps {
  readonly budgets: Pick<BudgetStore, 'openMinutes' | 'heldBy' | 'renew'>;
  readonly spend: Pick<SpendClient, 'reportReservations'>;
  readonly flushReport: () => Promise<void>;
  readonly clock: Clock;
}

/** What a round has found. */
export interface Watched {
  readonly holdings: Holdings;
  /** What counters held beyond the reports: fills of a replica that died, or of the others' last second. */
  readonly foundNanos: Nanos;
  /** Advertisers whose counters held less than was reported; they are rebuilt. */
  readonly behindCount: number;
}

/**
 * Compares what Redis holds of open campaign-minutes with what events-service has as reported. What Redis holds beyond it is
 * told, so that it is known should Redis forget; where Redis holds less, it is an older copy: the advertiser's counters are
 * rebuilt from the truth. Safe on several replicas at once. Rejects when events-service or the store cannot be reached.
 */
export interface WatchReservations {
  /**
   * Compares the minutes that may have changed since the last round; the first compares all. Null when the last round that
   * went well is less than {@link ROUND_MS} ago.
   */
  round(): Promise<Watched | null>;
  /** Compares all minutes once more, unless that was begun for this generation a moment ago. */
  whole(generation: Generation): Promise<void>;
}

/** Makes the use case. */
export function makeWatchReservations(deps: WatchDeps): WatchReservations {
  let sinceMs: number | null = null;
  let last: { readonly generation: Generation; readonly startedAtMs: number; done: Promise<unknown> } | null =
    null;
  const run = async (isWhole: boolean): Promise<Watched> => {
    const startedAtMs = deps.clock.now();
    // Replicas' clocks may differ a little, so that a fill may be in the minute before.
    const watched = await watch(deps, isWhole || sinceMs === null ? 0 : minuteOf(sinceMs) - 1);
    sinceMs = Math.max(sinceMs ?? 0, startedAtMs);
    return watched;
  };
  return {
    round: async () => (sinceMs !== null && deps.clock.now() - sinceMs < ROUND_MS ? null : run(false)),
    async whole(generation) {
      const nowMs = deps.clock.now();
      if (last?.generation !== generation || nowMs - last.startedAtMs >= WHOLE_FRESH_MS) {
        last = { generation, startedAtMs: nowMs, done: run(true) };
      }
      await last.done;
    },
  };
}

async function watch(deps: WatchDeps, minuteMin: number): Promise<Watched> {
  // Before the counters are read, so that this replica's own fills are no news.
  await deps.flushReport();
  const open = await deps.budgets.openMinutes(WATCHED_MINUTES_MAX);
  const held = (await deps.budgets.heldBy(open)).filter((minute) => minute !== null);
  const nowMs = deps.clock.now();
  const live = held.filter(({ minute, expiresAtMs }) => minute >= minuteMin && expiresAtMs > nowMs);
  let foundNanos = 0n;
  let behindCount = 0;
  for (let at = 0; at < live.length; at += COMPARED_MINUTES_MAX) {
    const part = live.slice(at, at + COMPARED_MINUTES_MAX);
    const known = await compare(deps, part);
    foundNanos += foundIn(part, known);
    behindCount += await rebuildBehind(deps, part, known);
  }
  return { holdings: holdingsOf(held, nowMs), foundNanos, behindCount };
}

type Known = ReadonlyMap<string, KnownReservation>;

async function compare(deps: WatchDeps, minutes: readonly HeldMinute[]): Promise<Known> {
  const known = await deps.spend.reportReservations(minutes);
  return new Map(known.map((row) => [nameOf(row), row]));
}

function nameOf({ campaignId, minute }: Pick<HeldMinute, 'campaignId' | 'minute'>): string {
  return `${campaignId}|${minute}`;
}

function foundIn(minutes: readonly HeldMinute[], known: Known): Nanos {
  return minutes.reduce((sum, held) => {
    const knownNanos = known.get(nameOf(held))?.knownNanos ?? 0n;
    return held.reservedNanos > knownNanos ? sum + held.reservedNanos - knownNanos : sum;
  }, 0n);
}

/** Minutes that hold less than was reported before they were read again: twice, since a fill may be given back meanwhile. */
async function rebuildBehind(deps: WatchDeps, minutes: readonly HeldMinute[], known: Known): Promise<number> {
  let behind = await stillBehind(deps, minutes, known);
  if (behind.length === 0) return 0;
  behind = await stillBehind(deps, behind, await compare(deps, behind));
  const advertisers = new Map(behind.map(({ advertiserId, generation }) => [advertiserId, generation]));
  await Promise.all([...advertisers].map(([id, generation]) => deps.budgets.renew(id, generation)));
  return advertisers.size;
}

async function stillBehind(
  deps: WatchDeps,
  minutes: readonly HeldMinute[],
  known: Known,
): Promise<readonly HeldMinute[]> {
  const isLess = (held: HeldMinute): boolean =>
    held.reservedNanos < (known.get(nameOf(held))?.reportedNanos ?? 0n);
  const suspects = minutes.filter(isLess);
  if (suspects.length === 0) return [];
  const again = await deps.budgets.heldBy(suspects);
  return again.filter((held) => held !== null).filter(isLess);
}
