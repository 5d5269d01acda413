import type { Product } from '@placard/local';
import type { Pool } from '@placard/service-kit/postgres';
import { becomes } from '../driver/phone.js';
import type { Clocks } from './faults/clocks.js';
import type { HeldMoney } from './comparison.js';
import { servicePids } from './faults/processes.js';

/**
 * Longest time after their expiry until the money of unshown ads is headroom again.
 * Contract: docs/contract/selection.md#reservation.
 */
const BACK_MS_MAX = 150_000;
/** Longest closing of all leases. The settlement worker runs every few seconds and may be hundreds of leases behind. */
const CLOSED_MS_MAX = 30_000;
const WORKERS = ['settlement-worker', 'settlement-worker-2'];

const HELD = `
  SELECT campaign_id AS "campaignId", sum(open_nanos)::int8 AS nanos
  FROM budget.campaign GROUP BY campaign_id ORDER BY campaign_id`;

const STRANDED = `
  SELECT lease.run, sum(granted_nanos - returned_nanos - filled_nanos)::int8 AS nanos
  FROM budget.lease JOIN budget.replica USING (run)
  WHERE closed_at IS NULL AND seen_at < now() - interval '3 seconds'
  GROUP BY lease.run`;

/** What reading a product's budgets needs. */
export interface Budgets {
  readonly product: Product;
  readonly clocks: Clocks;
  readonly adTtlSeconds: number;
}

/**
 * Stops serving-service, moves the clock of the settlement worker to the time at which all money must be returned, and
 * returns the held money of each budget. Afterwards serving-service runs again and the clocks are reset.
 */
export async function readHeldAtEnd(
  { product, clocks, adTtlSeconds }: Budgets,
  tables: Pool,
): Promise<readonly HeldMoney[]> {
  const serving = Object.keys(servicePids(product.dataDir)).filter((name) => name.startsWith('serving-'));
  await Promise.all(serving.map((name) => product.stopProcess(name)));
  try {
    const offMs = adTtlSeconds * 1_000 + BACK_MS_MAX;
    for (const worker of WORKERS) await clocks.set(worker, offMs);
    let held: readonly HeldMoney[] = [];
    await becomes(CLOSED_MS_MAX, async () => {
      held = (await tables.query<HeldMoney>(HELD)).rows;
      return held.every(({ nanos }) => nanos === 0n);
    });
    return held;
  } finally {
    await clocks.heal();
    await Promise.all(serving.map((name) => product.restart(name)));
  }
}

/**
 * Stranded money by replica run, in nano-units: grants of open leases that a replica run of serving-service which has ended
 * has neither filled nor returned.
 */
export async function readStranded(tables: Pool): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await tables.query<{ readonly run: string; readonly nanos: bigint }>(STRANDED);
  return new Map(rows.map(({ run, nanos }) => [run, nanos]));
}
