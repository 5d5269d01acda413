import { PLANTED_FAULTS } from '../../events-service/test/support/planted-faults.js';
import type { AlertCase } from './fires.js';

const MINUTES = 60;
const HOURS = 60 * MINUTES;
const DAYS = 24 * HOURS;

/**
 * The three alerts of an objective: of an hour, of six hours, of three days. `times` longer where not every answer is bad: then
 * more of the long window must be of the outage.
 */
function burns(alert: string, outage: string, times = 1): readonly AlertCase[] {
  const cases: readonly AlertCase[] = [
    { alert: `${alert}Fast`, outage, withinSeconds: 20 * MINUTES },
    { alert: `${alert}Steady`, outage, beforeSeconds: 6 * HOURS, withinSeconds: HOURS, stepSeconds: MINUTES },
    {
      alert: `${alert}Slow`,
      outage,
      beforeSeconds: 3 * DAYS,
      withinSeconds: 8 * HOURS,
      stepSeconds: 15 * MINUTES,
    },
  ];
  return cases.map((each) => ({ ...each, withinSeconds: each.withinSeconds * times }));
}

const CHECKS = [
  ...new Set(PLANTED_FAULTS.map(({ check }) => check)),
  'deposits and adjustments equal the accounts’ funds',
  'payouts and refunds equal those of the operators',
];

/** Each alert, the outage that raises it, and when it must be firing. */
export const ALERT_CASES: readonly AlertCase[] = [
  { alert: 'PlacardEventsUnanswered', outage: 'commits-hang', withinSeconds: 2 * MINUTES },
  { alert: 'PlacardEventsUnanswered', outage: 'redis-hangs', withinSeconds: 2 * MINUTES },
  { alert: 'PlacardEventsUnanswered', outage: 'postgres-gone', withinSeconds: 2 * MINUTES },
  { alert: 'PlacardEventsUnanswered', outage: 'events-service-gone', withinSeconds: 2 * MINUTES },
  ...burns('PlacardEventErrors', 'commits-hang'),
  ...burns('PlacardApiErrors', 'commits-hang'),
  ...burns('PlacardImpressionsSlow', 'inserts-slow', 3),
  ...burns('PlacardAdRequestsSlow', 'redis-slow', 3),
  ...burns('PlacardSettlementLate', 'settlement-late', 6),
  { alert: 'PlacardSettlementStuck', outage: 'settlement-blocked', withinSeconds: 5 * MINUTES },
  { alert: 'PlacardEventCannotBeSettled', outage: 'event-cannot-be-settled', withinSeconds: 5 * MINUTES },
  ...CHECKS.map((check) => ({
    alert: 'PlacardLedgerFault',
    outage: 'books-wrong',
    labels: { check },
    withinSeconds: 5 * MINUTES,
  })),
  { alert: 'PlacardLedgerSum', outage: 'books-wrong', withinSeconds: 5 * MINUTES },
  ...['sums', 'rows', 'funds'].map((part) => ({
    alert: 'PlacardLedgerUnchecked',
    outage: 'postgres-gone',
    labels: { part },
    beforeSeconds: 10 * MINUTES,
    withinSeconds: 50 * MINUTES,
  })),
  { alert: 'PlacardBudgetLeasesOverdue', outage: 'settlement-blocked', withinSeconds: 30 * MINUTES },
  { alert: 'PlacardBudgetMoneyStranded', outage: 'crash-loop', withinSeconds: 10 * HOURS },
  { alert: 'PlacardLeaseExchangeFailing', outage: 'postgres-gone', withinSeconds: 5 * MINUTES },
  { alert: 'PlacardLeaseExchangeFailing', outage: 'events-service-gone', withinSeconds: 5 * MINUTES },
  { alert: 'PlacardEventsHeld', outage: 'old-day-held', withinSeconds: 4 * HOURS },
  { alert: 'PlacardRedisLost', outage: 'redis-hangs', withinSeconds: 5 * MINUTES },
  { alert: 'PlacardRedisLostAside', outage: 'redis-hangs', withinSeconds: 15 * MINUTES },
  { alert: 'PlacardPostgresLost', outage: 'postgres-gone', withinSeconds: 5 * MINUTES },
  { alert: 'PlacardPostgresLostAside', outage: 'postgres-gone', withinSeconds: 15 * MINUTES },
  { alert: 'PlacardUnseen', outage: 'everything-gone', withinSeconds: 15 * MINUTES },
  ...['events-service', 'fraud-service', 'console-service', 'settlement-worker'].map((process) => ({
    alert: 'PlacardProcessGone',
    outage: `${process}-gone`,
    labels: { process },
    withinSeconds: 15 * MINUTES,
  })),
  { alert: 'PlacardReplicaUnseen', outage: 'events-service-gone', withinSeconds: 15 * MINUTES },
  { alert: 'PlacardProcessUnready', outage: 'events-service-gone', withinSeconds: 30 * MINUTES },
  { alert: 'PlacardRestarts', outage: 'crash-loop', withinSeconds: 30 * MINUTES },
  ...(
    [
      ['sdk.initialize', 'network'],
      ['ads.request', 'session'],
    ] as const
  ).map(([group, dimension]) => ({
    alert: 'PlacardRefusals',
    outage: 'flood-of-one-client',
    labels: { group, dimension },
    withinSeconds: 20 * MINUTES,
  })),
  { alert: 'PlacardRefusedShare', outage: 'flood-of-one-client', withinSeconds: 20 * MINUTES },
  {
    alert: 'PlacardFillDropped',
    outage: 'redis-hangs',
    beforeSeconds: DAYS + 2 * HOURS,
    withinSeconds: HOURS,
    stepSeconds: MINUTES,
  },
  { alert: 'PlacardFillsUnseen', outage: 'ads-unshown', withinSeconds: HOURS },
  { alert: 'PlacardBudgetHeldUnseen', outage: 'leases-unspent', withinSeconds: HOURS },
  { alert: 'PlacardDegraded', outage: 'redis-hangs', labels: { part: 'redis' }, withinSeconds: 20 * MINUTES },
  {
    alert: 'PlacardDegraded',
    outage: 'fraud-service-gone',
    labels: { part: 'fraud-service' },
    withinSeconds: 20 * MINUTES,
  },
  { alert: 'PlacardCatalogOld', outage: 'console-service-gone', withinSeconds: 20 * MINUTES },
  { alert: 'PlacardCatalogBehind', outage: 'reader-behind', withinSeconds: 30 * MINUTES },
  { alert: 'PlacardKeysDiffer', outage: 'keys-differ', withinSeconds: 60 * MINUTES },
  { alert: 'PlacardPoolExhausted', outage: 'reports-blocked', withinSeconds: 30 * MINUTES },
  {
    alert: 'PlacardEventLoop',
    outage: 'gateway-starved',
    labels: { job: 'gateway' },
    withinSeconds: 30 * MINUTES,
  },
  {
    alert: 'PlacardItemsLost',
    outage: 'duplicates-without-fraud-service',
    labels: { receiver: 'fraud-service' },
    withinSeconds: 30 * MINUTES,
  },
  ...(
    [
      ['redis-hangs', 'serving-service', 'redis'],
      ['commits-hang', 'events-service', 'postgres/transactions'],
    ] as const
  ).map(([outage, job, dependency]) => ({
    alert: 'PlacardBreakerOpen',
    outage,
    labels: { job, dependency },
    withinSeconds: 20 * MINUTES,
  })),
  {
    alert: 'PlacardOverloadEvents',
    outage: 'commits-hang-under-load',
    labels: { job: 'gateway' },
    withinSeconds: 10 * MINUTES,
  },
  {
    alert: 'PlacardOverload',
    outage: 'ads-overloaded',
    labels: { job: 'gateway', kind: 'ads' },
    withinSeconds: 20 * MINUTES,
  },
  {
    alert: 'PlacardCallForbidden',
    outage: 'calls-refused',
    labels: { caller: 'gateway' },
    withinSeconds: 10 * MINUTES,
  },
  {
    alert: 'PlacardCallUnproven',
    outage: 'calls-refused',
    labels: { caller: 'unknown' },
    withinSeconds: 10 * MINUTES,
  },
  {
    alert: 'PlacardTlsMissing',
    outage: 'tls-missing',
    labels: { job: 'session-service' },
    withinSeconds: 15 * MINUTES,
  },
  { alert: 'PlacardCertificateExpires', outage: 'certificates-end-soon', withinSeconds: 30 * MINUTES },
];
