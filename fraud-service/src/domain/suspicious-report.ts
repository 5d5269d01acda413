import type { AppId } from '@placard/service-kit/pure';

/** The keys by which suspicious events are counted. */
export type SuspiciousKey = 'rule' | 'app' | 'placement' | 'session';

/** A report of suspicious events. Instants are epoch ms, half-open and whole hours. */
export interface SuspiciousQuery {
  /** Each once. */
  readonly by: readonly SuspiciousKey[];
  readonly fromMs: number;
  readonly toMs: number;
  /** Null: every rule. */
  readonly rule: string | null;
  /** Null: every app. */
  readonly appId: AppId | null;
}

/** The entries of the log with equal keys. */
export interface EntrySums {
  /** In the order of the split. Unknown values are empty. */
  readonly keys: readonly string[];
  readonly entries: bigint;
  /** Arrival of the first and the last entry. Null: there is none. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** All events with equal keys. */
export interface EventSums {
  readonly keys: readonly string[];
  readonly events: bigint;
}

/** A row of the report. */
export interface SuspiciousRow extends EntrySums {
  /** Null: events are not counted by placement or session. */
  readonly events: bigint | null;
}

/** Whether all events are counted by these keys, and not only the entries of the log. */
export function areEventsCounted(by: readonly SuspiciousKey[]): boolean {
  return by.every((key) => key === 'rule' || key === 'app');
}

/**
 * Joins entries and events into rows, those with most entries first. `events` is null when events are not counted by the
 * keys. Events whose entries were pruned have a row too.
 */
export function joinSuspicious(
  entries: readonly EntrySums[],
  events: readonly EventSums[] | null,
): readonly SuspiciousRow[] {
  if (events === null) return entries.map((row) => ({ ...row, events: null }));
  const nameOf = ({ keys }: { readonly keys: readonly string[] }): string => keys.join('\n');
  const entriesOf = new Map(entries.map((row) => [nameOf(row), row]));
  const rows = events.map(({ keys, events: count }) => {
    const known = entriesOf.get(nameOf({ keys }));
    return { ...(known ?? { keys, entries: 0n, firstAtMs: null, lastAtMs: null }), events: count };
  });
  return rows.sort(
    (one, other) => Number(other.events - one.events) || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}
