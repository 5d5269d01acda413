import { setTimeout as sleep } from 'node:timers/promises';
import type { Rig } from './rig.js';

const TRIES_MAX = 40;
const WAIT_MS = 250;

/**
 * Deletes the row of an accepted impression before the worker settles it, as if there were no outbox. Returns its request
 * id.
 */
export async function plantSwallowedRow({ product, traffic, book, tables }: Rig): Promise<string> {
  await product.stopProcess('settlement-worker');
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const id = await traffic.showOne();
      const { rowCount } = await tables.query(
        `DELETE FROM events.event WHERE request_id = $1 AND cost_nanos > 0 AND settled_at IS NULL`,
        [id],
      );
      if (id !== null && book.verdict('impression', id) === 'accepted' && rowCount === 1) return id;
      await sleep(WAIT_MS);
    }
    throw new Error('no impression waited for the settlement');
  } finally {
    await product.restart('settlement-worker');
  }
}

/** Books an impression again under another id, without one nano-unit of the platform. */
export async function plantDoubledBooking({ tables }: Rig, requestId: string): Promise<void> {
  await tables.query(
    `WITH copied AS (
      INSERT INTO ledger.transaction (kind, id, day, event_day, occurred_at)
      SELECT kind, id || '_again', day, event_day, occurred_at FROM ledger.transaction
      WHERE kind = 'impression' AND id = $1
    ),
    lines AS (
      INSERT INTO ledger.entry (kind, transaction_id, account_kind, account_id, day, amount_nanos)
      SELECT kind, transaction_id || '_again', account_kind, account_id, day,
        amount_nanos - (account_kind = 'platform')::int
      FROM ledger.entry WHERE kind = 'impression' AND transaction_id = $1
      RETURNING account_kind, account_id, amount_nanos
    )
    UPDATE ledger.account SET balance_nanos = balance_nanos + amount_nanos
    FROM lines WHERE account.kind = account_kind AND account.id = account_id`,
    [requestId],
  );
}

/** A campaign with a high bid and a total budget of a few ads. */
const TWICE_GRANTED = 'cmp_total_0';

/**
 * Resets the sums of a campaign that has spent its total budget, as if events-service had lost its grants. Returns how many
 * ads were shown beyond the budget.
 */
export async function plantMoneyGrantedTwice({
  traffic,
  book,
  market,
  tables,
}: Rig): Promise<{ readonly campaignId: string; readonly shown: number }> {
  const { costNanos, totalNanos } = market.terms.campaigns.get(TWICE_GRANTED)!;
  const countMax = Number((totalNanos ?? 0n) / costNanos);
  const { rowCount } = await tables.query(
    `WITH forgotten AS (
      UPDATE budget.campaign_day SET open_nanos = 0, closed_nanos = 0 WHERE campaign_id = $1
    )
    UPDATE budget.campaign SET open_nanos = 0, closed_nanos = 0 WHERE campaign_id = $1`,
    [TWICE_GRANTED],
  );
  if (rowCount !== 1) throw new Error(`${TWICE_GRANTED} has sold nothing`);
  let shown = 0;
  for (let tries = 0; shown < countMax && tries < TRIES_MAX; tries += 1) {
    const id = await traffic.showOne();
    if (id !== null && book.fill(id)?.campaignId === TWICE_GRANTED) shown += 1;
    else await sleep(WAIT_MS);
  }
  return { campaignId: TWICE_GRANTED, shown };
}
