import { databaseOf, openMetricsServer, redisOf, type Scope, type StoreAddress } from '@placard/service-kit';
import { keepRunning, makeSingleFlight, type KeepRunningOptions } from '@placard/service-kit/background';
import { openPostgres, type Pool } from '@placard/service-kit/postgres';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@placard/service-kit/pure';
import { openQueue, openWorker, watchQueue } from '@placard/service-kit/queue';
import type { WorkerConfig } from './config.js';
import { makeBudgetMetrics } from './budgets/metrics.js';
import { makeSettlementMetrics, type SettlementMetrics } from './metrics.js';
import { SETTLEMENT_QUEUE, SWEEP_JOB } from './settlement-queue.js';
import { openCountStore } from './reports/store/counts.pg.js';
import { openExplanationStore } from './explain/store/explanations.pg.js';
import { openLeaseStore } from './budgets/store/leases.pg.js';
import { openLedgerStore } from './ledger/store/ledger.pg.js';
import { openPartitionStore } from './store/partitions.pg.js';
import { openSettlementStore } from './settlement/store/settlement.pg.js';
import { makeRewardMetrics } from './rewards/metrics.js';
import { openRewardStore } from './rewards/store/rewards.pg.js';
import { openShowStore } from './reports/store/shows.pg.js';
import { openTrafficStore } from './traffic/store/traffic.pg.js';
import { openVerificationStore } from './verification/store/verification.pg.js';
import type { LedgerCheck } from './verification/domain/verification.js';
import { makeCheckRowsInTurn } from './verification/usecase/check-rows-in-turn.js';
import { makeCloseLeases } from './budgets/usecase/close-leases.js';
import { makeDropOldEvents } from './usecase/drop-old-events.js';
import { makePruneAndPrepare } from './usecase/prune-and-prepare.js';
import { makeLearnTraffic } from './traffic/usecase/learn-traffic.js';
import { makeSettleWaiting } from './settlement/usecase/settle-waiting.js';
import { makeWatchBudgets } from './budgets/usecase/watch-budgets.js';
import { makeWatchShows } from './reports/usecase/watch-shows.js';

/** Interval of the worker's own sweep. A lost job or queue delays a settlement by this much at most. */
const OWN_SWEEP_MS = 2 * SECOND_MS;
/** Interval of the queue's sweep, for the time in which no worker's own timer runs. */
const QUEUE_SWEEP_MS = 5 * SECOND_MS;
const WATCH_MS = 5 * SECOND_MS;
/** The quick verification reads every day sum, so it runs rarely. */
const LEDGER_CHECK_MS = 5 * MINUTE_MS;
/** One piece at a time: some 2 % of a core on a ledger of ten million entries, whose 120 pieces take an hour. */
const ROWS_CHECK_MS = 30 * SECOND_MS;
const CLOSE_MS = 5 * SECOND_MS;
const HELD_MS = 10 * SECOND_MS;
/** A reward that console-service has not taken for so long is reported to nobody. */
const REWARDS_KEPT_SECONDS = 30 * 86_400;
const GROUPS_MAX = 10_000;
const STATEMENT_MS = 30_000;
/** Longest that a stalled worker blocks the others. All workers lock the platform's account while they book. */
const IDLE_TRANSACTION_MS = 10_000;

/** Wires the settlement worker and runs it until the scope closes. */
export async function openSettlement(scope: Scope, config: WorkerConfig): Promise<void> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const metrics = makeSettlementMetrics(scope.metrics);
  const pool = openPostgres(scope, {
    ...databaseOf(config),
    poolMax: config.DATABASE_POOL_MAX,
    statementTimeoutMs: STATEMENT_MS,
    idleTransactionMs: IDLE_TRANSACTION_MS,
  });
  const settleWaiting = wireSettleWaiting(scope, pool, { rowsMax: config.SETTLEMENT_ROWS_MAX, metrics });
  const settlement = makeSingleFlight(settleWaiting);
  scope.onClose('settlement', () => settlement.close());
  const queue = { ...SETTLEMENT_QUEUE, ...redisOf(config) };
  openWorker(scope, { ...queue, concurrency: 1 }, () => settlement.run());
  openTimers(scope, { pool, metrics, settle: () => settlement.run(), addSweep: openSweep(scope, queue) });
  openKeeping(scope, { pool, metrics, keptDays: config.EVENTS_KEPT_DAYS });
  openBudgets(scope, pool);
  openRewards(scope, pool);
}

interface SettleDeps {
  readonly rowsMax: number;
  readonly metrics: SettlementMetrics;
}

function wireSettleWaiting(scope: Scope, pool: Pool, { rowsMax, metrics }: SettleDeps): () => Promise<void> {
  return makeSettleWaiting({
    store: openSettlementStore(pool, () => scope.clock.now(), scope.tracing),
    rowsMax,
    groupsMax: GROUPS_MAX,
    onSettled: (group) => {
      metrics.settled(group);
      metrics.bookedBefore(group.bookedBefore);
      if (group.bookedBefore > 0)
        scope.log.warn({ impressions: group.bookedBefore }, 'some waiting impressions were booked before');
    },
    onStuck: (key, reason) => {
      metrics.stuck();
      const { day, requestId: adRequestId, type } = key;
      scope.log.error({ day, adRequestId, type, reason }, 'an event cannot be settled');
    },
    isStopping: () => scope.stopping.aborted,
  });
}

/** Opens the repeating job. It is added again each minute, because a Redis that lost its data has lost the job too. */
function openSweep(scope: Scope, options: typeof SETTLEMENT_QUEUE & StoreAddress): () => Promise<void> {
  const queue = openQueue(scope, options);
  watchQueue(scope, queue);
  return async () => {
    await queue.upsertJobScheduler(SWEEP_JOB, { every: QUEUE_SWEEP_MS }, { name: SWEEP_JOB });
  };
}

interface TimersDeps {
  readonly pool: Pool;
  readonly metrics: SettlementMetrics;
  readonly settle: () => Promise<void>;
  readonly addSweep: () => Promise<void>;
}

function openTimers(scope: Scope, { pool, metrics, settle, addSweep }: TimersDeps): void {
  const settlement = openSettlementStore(pool, () => scope.clock.now());
  const ledger = openLedgerStore(pool);
  const pruneAndPrepare = makePruneAndPrepare({
    partitions: openPartitionStore(pool),
    counts: openCountStore(pool),
    leases: openLeaseStore(pool),
    explanations: openExplanationStore(pool),
    clock: scope.clock,
  });
  const learnTraffic = makeLearnTraffic({ traffic: openTrafficStore(pool), clock: scope.clock });
  const watchShows = makeWatchShows({
    shows: openShowStore(pool),
    clock: scope.clock,
    onShows: metrics.shows,
  });
  const watch = async (): Promise<void> => {
    const { waiting, oldestAtMs } = await settlement.outbox();
    metrics.outbox(waiting, oldestAtMs === null ? 0 : Math.max(0, scope.clock.now() - oldestAtMs));
    metrics.ledgerTotals(await ledger.totals());
  };
  every(scope, OWN_SWEEP_MS, { name: 'settlement', run: settle, onFailure: metrics.failed });
  every(scope, WATCH_MS, { name: 'reading the backlog', run: watch });
  every(scope, MINUTE_MS, { name: 'pruning and preparing', run: pruneAndPrepare });
  every(scope, MINUTE_MS, { name: 'learning traffic curves', run: learnTraffic });
  every(scope, MINUTE_MS, { name: 'reading shown fills', run: watchShows });
  every(scope, MINUTE_MS, { name: 'adding the sweep job', run: addSweep });
}

interface KeepingDeps {
  readonly pool: Pool;
  readonly metrics: SettlementMetrics;
  readonly keptDays: number;
}

/** Closes leases that are over, and shows held money in the metrics. */
function openBudgets(scope: Scope, pool: Pool): void {
  const leases = openLeaseStore(pool);
  const metrics = makeBudgetMetrics(scope.metrics);
  const { clock } = scope;
  const closeLeases = makeCloseLeases({ leases, clock, onClosed: metrics.closed });
  const watchBudgets = makeWatchBudgets({ leases, clock, onHeld: metrics.held });
  every(scope, CLOSE_MS, { name: 'closing leases', run: closeLeases });
  every(scope, HELD_MS, { name: 'reading held money', run: watchBudgets });
}

/** Shows the rewards that wait for console-service in the metrics, and deletes very old ones. */
function openRewards(scope: Scope, pool: Pool): void {
  const rewards = openRewardStore(pool);
  const metrics = makeRewardMetrics(scope.metrics);
  const watch = async (): Promise<void> => metrics.waiting(await rewards.waiting(), scope.clock.now());
  every(scope, WATCH_MS, { name: 'reading waiting rewards', run: watch });
  every(scope, HOUR_MS, { name: 'deleting old rewards', run: () => rewards.prune(REWARDS_KEPT_SECONDS) });
}

/**
 * Opens the retention and the checks of the ledger's identities. The checks only read, in snapshots: no booking waits for
 * them.
 */
function openKeeping(scope: Scope, { pool, metrics, keptDays }: KeepingDeps): void {
  const books = openVerificationStore(pool);
  const report = (checks: readonly LedgerCheck[]): void => {
    for (const { name, ok, detail } of checks)
      if (!ok) scope.log.error({ check: name, detail }, 'the ledger does not add up');
  };
  const dropOldEvents = makeDropOldEvents({
    partitions: openPartitionStore(pool),
    keptDays,
    clock: scope.clock,
    onDropped: (day) => scope.log.info({ day }, 'events older than the retention were dropped'),
    onHeld: (day, reason) => {
      if (reason === 'differs')
        scope.log.error({ day }, 'old events are kept: they differ from the accepted and booked impressions');
      else scope.log.warn({ day }, 'old events are kept: some wait for settlement');
    },
    onHeldCount: metrics.heldDays,
  });
  const checkLedger = async (): Promise<void> => {
    const checks = await books.verify(null);
    metrics.ledgerChecks('sums', checks);
    report(checks);
  };
  const checkRows = makeCheckRowsInTurn({
    books,
    onChecked: (checks) => {
      metrics.ledgerChecks('rows', checks);
      report(checks);
    },
  });
  every(scope, HOUR_MS, { name: 'retention', run: dropOldEvents });
  every(scope, LEDGER_CHECK_MS, { name: 'ledger check', run: checkLedger });
  every(scope, ROWS_CHECK_MS, { name: 'ledger check from the rows', run: checkRows });
}

type Work = Pick<KeepRunningOptions, 'name' | 'run' | 'onFailure'>;

/** The first run comes at the start, when connections may not be open yet. */
function every(scope: Scope, intervalMs: number, work: Work): void {
  keepRunning(scope, { ...work, intervalMs, isRunAtStart: true });
}
