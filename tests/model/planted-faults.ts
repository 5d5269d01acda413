import type { Pool } from '@placard/service-kit/postgres';
import type { LeaseWant } from '../../events-service/src/budgets/domain/lease.js';
import type { LeaseExchange, LeaseStore } from '../../events-service/src/budgets/store/leases.js';
import type { Stores } from './world.js';

/** A fault of events-service, as a change of its stores. */
export type PlantedFault = (stores: Stores, pool: Pool) => Stores;

function onLeases(change: (leases: LeaseStore, pool: Pool) => Partial<LeaseStore>): PlantedFault {
  return (stores, pool) => ({ ...stores, leases: { ...stores.leases, ...change(stores.leases, pool) } });
}

function onExchange(
  change: (exchange: LeaseExchange, pool: Pool) => LeaseExchange | Promise<LeaseExchange>,
): PlantedFault {
  return onLeases((leases, pool) => ({
    exchange: async (exchange, nowMs) => leases.exchange(await change(exchange, pool), nowMs),
  }));
}

/** Adds up the returns of reports, although each report has the sum. */
function addReturns(): PlantedFault {
  const sums = new Map<string, bigint>();
  return onExchange((exchange) => ({
    ...exchange,
    reports: exchange.reports.map((report) => {
      const key = `${report.campaignId}/${report.minute}/${exchange.run}`;
      const returnedNanos = (sums.get(key) ?? 0n) + report.returnedNanos;
      sums.set(key, returnedNanos);
      return { ...report, returnedNanos };
    }),
  }));
}

/** A grant counts only the open money of the replica that asks. */
const overlookOthers = onExchange(async (exchange, pool) => {
  const wants = exchange.wants.map(async (want): Promise<LeaseWant> => {
    const { rows } = await pool.query<{ total: bigint; day: bigint; balance: bigint }>(OPEN_OF_OTHERS, [
      ...[exchange.run, want.advertiserId, want.campaignId, Math.floor(want.minute / 1_440)],
    ]);
    const { total = 0n, day = 0n, balance = 0n } = rows[0] ?? {};
    return {
      ...want,
      totalLimitNanos: want.totalLimitNanos === null ? null : want.totalLimitNanos + total,
      dailyLimitNanos: want.dailyLimitNanos === null ? null : want.dailyLimitNanos + day,
      fundedNanos: want.fundedNanos + balance,
    };
  });
  return { ...exchange, wants: await Promise.all(wants) };
});

const OPEN_OF_OTHERS = `
  SELECT
    coalesce(sum(open_nanos) FILTER (WHERE campaign_id = $3), 0) AS total,
    coalesce(sum(open_nanos) FILTER (WHERE campaign_id = $3 AND minute / 1440 = $4), 0) AS day,
    coalesce(sum(open_nanos), 0) AS balance
  FROM (
    SELECT campaign_id, minute, granted_nanos - returned_nanos - released_nanos AS open_nanos
    FROM budget.lease
    WHERE closed_at IS NULL AND run <> $1 AND advertiser_id = $2
  ) AS lease`;

/** Leases are closed before the ads that were sold from them are over. */
const closeEarly = onLeases((leases) => ({
  closeDue: (due) => leases.closeDue({ ...due, overBeforeMs: due.nowMs + 120_000 }),
}));

/** Clears the mark of a closing, or of the release of a suspicious impression. */
function forget(method: 'closeDue' | 'releaseSuspicious', sql: string): PlantedFault {
  return onLeases((leases, pool) => ({
    [method]: async (given: never) => {
      const done = await leases[method](given);
      await pool.query(sql);
      return done;
    },
  }));
}

/** Stores impressions of closed leases. */
const ignoreClosed: PlantedFault = (stores, pool) => ({
  ...stores,
  events: {
    ...stores.events,
    insert: async (rows) => {
      const { rows: closed } = await pool.query<Record<string, unknown>>(
        'UPDATE budget.lease SET closed_at = NULL WHERE closed_at IS NOT NULL RETURNING campaign_id, minute, run',
      );
      const stored = await stores.events.insert(rows);
      for (const lease of closed) await pool.query(CLOSE_AGAIN, Object.values(lease));
      return stored;
    },
  },
});

const CLOSE_AGAIN =
  'UPDATE budget.lease SET closed_at = now() WHERE campaign_id = $1 AND minute = $2 AND run = $3';

/** Faults by description. */
export const PLANTED_FAULTS: readonly (readonly [what: string, fault: () => PlantedFault])[] = [
  ['returns are added up instead of taken as sums', addReturns],
  ['a grant overlooks open money of other replicas', () => overlookOthers],
  ['a lease is closed before its ads are over', () => closeEarly],
  [
    'a closing loses its mark',
    () => forget('closeDue', "UPDATE budget.lease SET closed_at = NULL WHERE run = 'run-1'"),
  ],
  ['an impression is stored although its lease is closed', () => ignoreClosed],
  [
    'money of suspicious impressions is returned repeatedly',
    () => forget('releaseSuspicious', 'UPDATE budget.lease SET released_nanos = 0'),
  ],
];
