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
  readonly budgets: Pick<BudgetStore, 'openMinutes' | 'heldBy' | 'raise'>;
  readonly spend: Pick<SpendClient, 'reportReservations'>;
  readonly flushReport: () => Promise<void>;
  readonly clock: Clock;
}

/** What a round has found. */
export interface Watched {
  readonly holdings: Holdings;
  /** What counters held beyond the reports: fills of a replica that died, or of the others' last second. */
  readonly foundNanos: Nanos;
  /** What counters held less than was reported or accepted: they were raised by it. */
  readonly raisedNanos: Nanos;
}

/**
 * Compares what Redis holds of open campaign-minutes with what events-service has as reported. What Redis holds beyond it is
 * told, so that it is known should Redis forget; where Redis holds less, it has forgotten fills that were reported or shown
 * afterwards: its counters are raised. Safe on several replicas at once. Rejects when events-service or the store cannot be reached.
 */
export interface WatchReservations {
  /**
   * Compares the minutes that may have changed since the last round; the first compares all. Null when the last round that
   * went well is less than {@link ROUND_MS} ago.
   */
  round(): Promise<Watched | null>;
  /**
   * Compares all minutes once more, unless that was asked for this generation a moment ago. One comparison serves all that
   * were asked for before it began: each shard has a generation of its own, and many may be new at once.
   */
  whole(generation: Generation): Promise<void>;
}

/** Makes the use case. */
export function makeWatchReservations(deps: WatchDeps): WatchReservations {
  let sinceMs: number | null = null;
  const asked = new Map<Generation, { readonly atMs: number; readonly done: Promise<unknown> }>();
  let running: Promise<unknown> = Promise.resolve();
  /** The next comparison of all minutes, which has not begun: whoever asks until then shares it. */
  let queued: Promise<unknown> | null = null;
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
      const before = asked.get(generation);
      if (before !== undefined && nowMs - before.atMs < WHOLE_FRESH_MS) {
        await before.done;
        return;
      }
      for (const [old, { atMs }] of asked) if (nowMs - atMs >= WHOLE_FRESH_MS) asked.delete(old);
      queued ??= running = running
        .catch(() => undefined)
        .then(() => {
          queued = null;
          return run(true);
        });
      asked.set(generation, { atMs: nowMs, done: queued });
      await queued;
    },
  };
}

async function watch(deps: WatchDeps, minuteMin: number): Promise<Watched> {
  // Before the counters are read, so that this replica's own fills are no news.
  await deps.flushReport();
  const open = await deps.budgets.openMinutes(WATCHED_MINUTES_MAX);
  const held = (await deps.budgets.heldBy(open)).filter((minute) => minute !== null);
  const nowMs = deps.clock.now();
  const live = eachOnce(held.filter(({ minute, expiresAtMs }) => minute >= minuteMin && expiresAtMs > nowMs));
  let foundNanos = 0n;
  let raisedNanos = 0n;
  for (const part of questionsOf(live)) {
    const known = await compare(deps, part);
    foundNanos += foundIn(part, known);
    raisedNanos += await raiseBehind(deps, part, known);
  }
  return { holdings: holdingsOf(held, nowMs), foundNanos, raisedNanos };
}

/** Cuts minutes into those of one question to events-service each. */
export function* questionsOf<Minute>(minutes: readonly Minute[]): Generator<readonly Minute[]> {
  for (let at = 0; at < minutes.length; at += COMPARED_MINUTES_MAX) {
    yield minutes.slice(at, at + COMPARED_MINUTES_MAX);
  }
}

type Known = ReadonlyMap<string, KnownReservation>;

async function compare(deps: WatchDeps, minutes: readonly HeldMinute[]): Promise<Known> {
  const known = await deps.spend.reportReservations(minutes);
  return new Map(known.map((row) => [nameOf(row), row]));
}

function nameOf({ campaignId, minute }: Pick<HeldMinute, 'campaignId' | 'minute'>): string {
  return `${campaignId}|${minute}`;
}

/** A campaign that was removed and made again under another advertiser within a minute is there twice. */
function eachOnce(minutes: readonly HeldMinute[]): readonly HeldMinute[] {
  return [...new Map(minutes.map((held) => [nameOf(held), held])).values()];
}

function foundIn(minutes: readonly HeldMinute[], known: Known): Nanos {
  return minutes.reduce((sum, held) => {
    const knownNanos = known.get(nameOf(held))?.knownNanos ?? 0n;
    return held.reservedNanos > knownNanos ? sum + held.reservedNanos - knownNanos : sum;
  }, 0n);
}

/** What was reported before the counters are raised is reserved beyond doubt; what is given back meanwhile comes back later. */
async function raiseBehind(deps: WatchDeps, minutes: readonly HeldMinute[], known: Known): Promise<Nanos> {
  const raised = await Promise.all(
    minutes.map(async (held) => {
      const reportedNanos = known.get(nameOf(held))?.reportedNanos ?? 0n;
      return held.reservedNanos < reportedNanos ? deps.budgets.raise(held, reportedNanos) : 0n;
    }),
  );
  return raised.reduce((sum, nanos) => sum + nanos, 0n);
}
