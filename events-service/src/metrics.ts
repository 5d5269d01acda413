import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RejectionReason } from './events/domain/event.js';
import type { FallbackReason } from './events/domain/fallback.js';
import type { AppShows } from './reports/store/shows.js';

/** Receivers of background items. */
const RECEIVERS = ['serving-service', 'fraud-service', 'reports', 'budgets'] as const;

/** Figures of events-service. */
export interface ServiceMetrics {
  readonly rejected: (event: string, reason: RejectionReason) => void;
  readonly accepted: (event: string) => void;
  readonly fallback: (reason: FallbackReason) => void;
  readonly groupSize: (events: number) => void;
  /** Counts lost background items by receiver. */
  readonly dropped: (receiver: (typeof RECEIVERS)[number], items: number) => void;
  readonly triggerFailed: () => void;
  /** Items that wait for their group. `count` is called when the metrics are read. */
  readonly waiting: (kind: 'event' | 'fallback', count: () => number) => void;
}

/** Registers {@link ServiceMetrics}. */
export function makeServiceMetrics(registry: Registry): ServiceMetrics {
  const registers = [registry];
  const events = new Counter({
    name: 'placard_events_total',
    help: 'Judged events by type and verdict: accepted, or the rejection reason',
    labelNames: ['event', 'verdict'] as const,
    registers,
  });
  const fallbacks = new Counter({
    name: 'placard_fallbacks_total',
    help: 'Fallbacks that were counted, by reason',
    labelNames: ['reason'] as const,
    registers,
  });
  const groups = new Histogram({
    name: 'placard_events_group_size',
    help: 'Events that were judged and stored together',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers,
  });
  const dropped = new Counter({
    name: 'placard_events_background_dropped_total',
    help: 'Background items that were lost because too many waited, by receiver',
    labelNames: ['receiver'] as const,
    registers,
  });
  // Start at 0: Prometheus shows no increase for a series that first appears with a loss.
  for (const receiver of RECEIVERS) dropped.inc({ receiver }, 0);
  const triggerFailures = new Counter({
    name: 'placard_events_wake_failed_total',
    help: 'Jobs that could not be added to the queue; the sweep settles their events',
    registers,
  });
  const waiting = new Map<string, () => number>();
  new Gauge({
    name: 'placard_events_waiting',
    help: 'Reports that wait for their group, by kind; beyond a bound they are refused',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, count] of waiting) this.set({ kind }, count());
    },
  });
  return {
    waiting: (kind, count) => void waiting.set(kind, count),
    rejected: (event, verdict) => events.inc({ event, verdict }),
    fallback: (reason) => fallbacks.inc({ reason }),
    accepted: (event) => events.inc({ event, verdict: 'accepted' }),
    groupSize: (size) => groups.observe(size),
    dropped: (receiver, items) => dropped.inc({ receiver }, items),
    triggerFailed: () => triggerFailures.inc(),
  };
}

/** Figures of the books. */
interface LedgerMetrics {
  readonly ledgerTotals: (totals: { readonly sumNanos: bigint; readonly overdrawnNanos: bigint }) => void;
  /** Results of checks by their name: of the quick verification (`sums`), or of one piece from the rows (`rows`). */
  readonly ledgerChecks: (
    part: 'sums' | 'rows',
    checks: readonly { readonly name: string; readonly ok: boolean }[],
  ) => void;
}

/** Figures of recent fills and impressions. */
interface ShowMetrics {
  /** Replaces the apps of the call before. */
  readonly shows: (apps: readonly AppShows[]) => void;
}

/** Figures of the settlement worker. */
export interface SettlementMetrics extends LedgerMetrics, ShowMetrics {
  readonly settled: (group: {
    readonly rows: number;
    readonly impressions: number;
    readonly lagMs: number;
  }) => void;
  readonly bookedBefore: (impressions: number) => void;
  readonly stuck: () => void;
  readonly failed: () => void;
  readonly outbox: (waiting: number, oldestAgeMs: number) => void;
  /** Days of events that are older than the retention and could not be dropped. */
  readonly heldDays: (days: number) => void;
}

/** Registers {@link SettlementMetrics}. */
export function makeSettlementMetrics(registry: Registry): SettlementMetrics {
  const registers = [registry];
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const rows = counter('placard_settlement_events_total', 'Events that were settled');
  const impressions = counter(
    'placard_settlement_impressions_total',
    'Impressions that were booked in the ledger',
  );
  const repeated = counter(
    'placard_settlement_booked_before_total',
    'Waiting impressions that were booked before',
  );
  const stuckRows = counter(
    'placard_settlement_stuck_total',
    'Events that could not be settled; an operator must act',
  );
  const failures = counter('placard_settlement_failed_total', 'Runs that ended early and are tried again');
  const lag = new Histogram({
    name: 'placard_settlement_lag_seconds',
    help: 'From the arrival of the longest waiting event of a group to its settlement',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
    registers,
  });
  const waiting = gauge('placard_outbox_events', 'Events that wait for settlement, counted up to a bound');
  const oldest = gauge(
    'placard_outbox_oldest_seconds',
    'Age of the longest waiting event; 0 when none waits',
  );
  const held = gauge(
    'placard_events_held_days',
    'Days of events older than the retention that could not be dropped',
  );
  return {
    settled(group) {
      rows.inc(group.rows);
      impressions.inc(group.impressions);
      lag.observe(group.lagMs / 1_000);
    },
    bookedBefore: (count) => repeated.inc(count),
    stuck: () => stuckRows.inc(),
    failed: () => failures.inc(),
    outbox(events, ageMs) {
      waiting.set(events);
      oldest.set(ageMs / 1_000);
    },
    ...makeLedgerMetrics(registry),
    ...makeShowMetrics(registry),
    heldDays: (days) => held.set(days),
  };
}

function makeShowMetrics(registry: Registry): ShowMetrics {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['app'] as const, registers: [registry] });
  const fills = gauge('placard_recent_fills', 'Live fills of this and the previous hour');
  const impressions = gauge(
    'placard_recent_impressions',
    'Accepted live impressions of this and the previous hour',
  );
  return {
    shows(apps) {
      fills.reset();
      impressions.reset();
      for (const { app, ...count } of apps) {
        fills.set({ app }, Number(count.fills));
        impressions.set({ app }, Number(count.impressions));
      }
    },
  };
}

function makeLedgerMetrics(registry: Registry): LedgerMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const sum = gauge('placard_ledger_sum_nanos', 'Sum of all accounts: anything but 0 is a fault');
  const overdrawn = gauge(
    'placard_ledger_overdrawn_nanos',
    'Advertisers’ balances below zero in sum, as a positive amount: overspent, or taken back by later adjustments',
  );
  const checks = new Gauge({
    name: 'placard_ledger_check_ok',
    help: 'Last result of each identity of the ledger: 1: it holds, 0: a fault',
    labelNames: ['check'] as const,
    registers,
  });
  const checkedAt = new Gauge({
    name: 'placard_ledger_checked_timestamp_seconds',
    help: 'When identities of the ledger were last checked: by the day sums, or from the rows; 0 before the first time',
    labelNames: ['part'] as const,
    registers,
  });
  for (const part of ['sums', 'rows']) checkedAt.set({ part }, 0);
  return {
    ledgerTotals({ sumNanos, overdrawnNanos }) {
      sum.set(Number(sumNanos));
      overdrawn.set(Number(overdrawnNanos));
    },
    ledgerChecks(part, results) {
      for (const { name, ok } of results) checks.set({ check: name }, ok ? 1 : 0);
      checkedAt.setToCurrentTime({ part });
    },
  };
}
