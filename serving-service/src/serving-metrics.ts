import type { Scope } from '@placard/service-kit';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { NoFillReason } from './domain/ad-request.js';
import { makeReservationMetrics, type ReservationMetrics } from './reservation-metrics.js';
import type { BudgetStore } from './store/budget-store.js';
import type { BudgetCheck } from './usecase/check-budgets.js';

/** What serving-service counts. No label holds an id but those of {@link ReservationMetrics}. */
export interface ServingMetrics {
  readonly reservations: ReservationMetrics;
  readonly onAnswer: (reason: NoFillReason | null, isTest: boolean) => void;
  onDegraded(part: 'redis' | 'fraud-service'): void;
  onSeed(outcome: 'seeded' | 'failed'): void;
  readonly onRowDropped: () => void;
  onIndexed(campaigns: number, seconds: number): void;
  onOpenMinutes(count: number): void;
  onDrift(check: Pick<BudgetCheck, 'overNanos' | 'underNanos'>): void;
  /** Values that are read when the metrics are. */
  watch(read: WatchedValues): void;
  /** The same store, with what it does counted. */
  measured(budgets: BudgetStore): BudgetStore;
}

/** Values that are read when the metrics are. */
export interface WatchedValues {
  readonly waitingRows: () => number;
  readonly spentCampaigns: () => number;
  /** App categories and formats whose day of traffic is known, proven ones or others. */
  readonly trafficGroups: (isProven: boolean) => number;
}

const NANOS_PER_UNIT = 1e9;

/** Registers the metrics of serving-service. */
export function makeServingMetrics(scope: Scope): ServingMetrics {
  const registers = [scope.metrics];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `placard_serving_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `placard_serving_${name}`, help, labelNames, registers });
  const answers = counter('answers_total', 'Answers to ad requests; fill or the no-fill reason', [
    'outcome',
    'test',
  ]);
  // From 0 on: to Prometheus a release that never fills would else have no fill rate, instead of one of 0.
  for (const test of ['true', 'false']) answers.inc({ outcome: 'fill', test }, 0);
  const degraded = counter('degraded_total', 'Steps that went without a part that was down', ['part']);
  const seeds = counter('budget_rebuilds_total', 'Rebuilds of missing budget counters', ['outcome']);
  const dropped = counter('report_rows_dropped_total', 'Counts that could not be kept for events-service');
  const campaigns = gauge('index_campaigns', 'Campaigns in the index');
  const indexing = new Histogram({
    name: 'placard_serving_index_update_seconds',
    help: 'Time to take a catalog change into the index',
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const openMinutes = gauge('open_campaign_minutes', 'Campaign-minutes with fills that are not closed');
  const drift = gauge('budget_drift', 'Last seen difference of counters and truth, currency units', [
    'direction',
  ]);
  return {
    reservations: makeReservationMetrics(scope),
    onAnswer: (reason, isTest) => answers.inc({ outcome: reason ?? 'fill', test: String(isTest) }),
    onDegraded: (part) => degraded.inc({ part }),
    onSeed: (outcome) => seeds.inc({ outcome }),
    onRowDropped: () => dropped.inc(),
    onIndexed(count, seconds) {
      campaigns.set(count);
      indexing.observe(seconds);
    },
    onOpenMinutes: (count) => openMinutes.set(count),
    onDrift({ overNanos, underNanos }) {
      drift.set({ direction: 'over' }, Number(overNanos) / NANOS_PER_UNIT);
      drift.set({ direction: 'under' }, Number(underNanos) / NANOS_PER_UNIT);
    },
    watch({ waitingRows, spentCampaigns, trafficGroups }) {
      readGauge(scope, 'report_rows_waiting', 'Counts that events-service has not yet', waitingRows);
      readGauge(scope, 'spent_campaigns', 'Campaigns known to be unable to reserve', spentCampaigns);
      readGauge(scope, 'traffic_groups_proven', 'Groups of apps whose day of traffic is proven', () =>
        trafficGroups(true),
      );
      readGauge(scope, 'traffic_groups_unproven', 'Groups whose day of traffic is known, not proven', () =>
        trafficGroups(false),
      );
    },
    measured: (budgets) => measure(scope, budgets),
  };
}

function readGauge(scope: Scope, name: string, help: string, read: () => number): void {
  new Gauge({
    name: `placard_serving_${name}`,
    help,
    registers: [scope.metrics],
    collect() {
      this.set(read());
    },
  });
}

function measure(scope: Scope, budgets: BudgetStore): BudgetStore {
  const registers = [scope.metrics];
  const tries = new Counter({
    name: 'placard_serving_reserve_candidates_total',
    help: 'Candidates looked at by the atomic reserve, by verdict',
    labelNames: ['verdict'],
    registers,
  });
  const released = new Counter({
    name: 'placard_serving_released_total',
    help: 'Reservations given back before their minute was closed',
    registers,
  });
  const closed = new Counter({
    name: 'placard_serving_closed_minutes_total',
    help: 'Campaign-minutes closed',
    registers,
  });
  return {
    ...budgets,
    async reserve(items, time) {
      const findings = await budgets.reserve(items, time);
      for (const { verdict } of findings) tries.inc({ verdict });
      return findings;
    },
    async release(fill) {
      const isReleased = await budgets.release(fill);
      if (isReleased) released.inc();
      return isReleased;
    },
    async closeMinute(minute, acceptedNanos) {
      const back = await budgets.closeMinute(minute, acceptedNanos);
      closed.inc();
      return back;
    },
  };
}
