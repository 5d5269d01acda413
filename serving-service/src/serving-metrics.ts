import type { Scope } from '@placard/service-kit';
import type { Nanos } from '@placard/service-kit/pure';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { NoFillReason } from './domain/ad-request.js';
import type { LeaseVerdict } from './budgets/domain/lease-want.js';
import type { AskOutcome } from './budgets/usecase/open-want.js';

/** The metrics of serving-service. No label holds an id. */
export interface ServingMetrics {
  readonly onAnswer: (reason: NoFillReason | null, isTest: boolean) => void;
  onDegraded(part: 'redis' | 'fraud-service'): void;
  readonly onRowDropped: () => void;
  readonly onUnexplained: (requests: number) => void;
  onIndexed(campaigns: number, seconds: number): void;
  readonly onExchange: (seconds: number) => void;
  readonly onWant: (verdict: LeaseVerdict) => void;
  readonly onWait: (outcome: AskOutcome) => void;
  /** Registers gauges whose values are read at each scrape. */
  watch(read: WatchedValues): void;
}

/** Functions that give the values of gauges at each scrape. */
export interface WatchedValues {
  readonly waitingRows: () => number;
  readonly skippedCampaigns: () => number;
  /** The money of leases that can still be spent. */
  readonly leasedNanos: () => Nanos;
  /** The number of groups (app category and format) with a known day of traffic, proven or not. */
  readonly trafficGroups: (isProven: boolean) => number;
}

const NANOS_PER_UNIT = 1e9;

/** Registers the metrics of serving-service. */
export function makeServingMetrics(scope: Scope): ServingMetrics {
  const registers = [scope.metrics];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `placard_serving_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `placard_serving_${name}`, help, buckets, registers });
  const answers = counter('answers_total', 'Answers to ad requests; fill or the no-fill reason', [
    'outcome',
    'test',
  ]);
  // Starts at 0. Otherwise a release without fills would have no fill rate in Prometheus, instead of a rate of 0.
  for (const test of ['true', 'false']) answers.inc({ outcome: 'fill', test }, 0);
  const degraded = counter('degraded_total', 'Steps that went on without a dependency that was down', [
    'part',
  ]);
  const dropped = counter('report_rows_dropped_total', 'Counts dropped while events-service was unavailable');
  const unexplained = counter(
    'explanations_dropped_total',
    'Chosen ad requests whose explanation was dropped, because too many waited or events-service was unavailable',
  );
  const campaigns = new Gauge({
    name: 'placard_serving_index_campaigns',
    help: 'Campaigns in the index',
    registers,
  });
  const indexing = histogram(
    'index_update_seconds',
    'Time to apply a catalog change to the index',
    [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  );
  const exchanges = histogram(
    'lease_exchange_seconds',
    'Duration of an exchange of budget leases with events-service, failed ones included',
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2],
  );
  const wants = counter('lease_wants_total', 'Answers to wants of budget leases', ['verdict']);
  const waits = counter('lease_waits_total', 'Waits of ad requests for a budget lease', ['outcome']);
  return {
    onAnswer: (reason, isTest) => answers.inc({ outcome: reason ?? 'fill', test: String(isTest) }),
    onDegraded: (part) => degraded.inc({ part }),
    onRowDropped: () => dropped.inc(),
    onUnexplained: (requests) => unexplained.inc(requests),
    onIndexed(count, seconds) {
      campaigns.set(count);
      indexing.observe(seconds);
    },
    onExchange: (seconds) => exchanges.observe(seconds),
    onWant: (verdict) => wants.inc({ verdict }),
    onWait: (outcome) => waits.inc({ outcome }),
    watch({ waitingRows, skippedCampaigns, leasedNanos, trafficGroups }) {
      readGauge(scope, 'report_rows_waiting', 'Counts that events-service has not acknowledged', waitingRows);
      readGauge(scope, 'spent_campaigns', 'Campaigns that currently get no money', skippedCampaigns);
      readGauge(scope, 'leased_money', 'Leased money that is not spent, in currency units', () => {
        return Number(leasedNanos()) / NANOS_PER_UNIT;
      });
      readGauge(scope, 'traffic_groups_proven', 'Groups of apps whose day of traffic is proven', () =>
        trafficGroups(true),
      );
      readGauge(scope, 'traffic_groups_unproven', 'Groups whose day of traffic is known but not proven', () =>
        trafficGroups(false),
      );
    },
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
