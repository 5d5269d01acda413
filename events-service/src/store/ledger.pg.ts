import { inTransaction, loadText, type Pool, type PoolClient } from '@placard/service-kit';
import { dayOf } from '@placard/service-kit/pure';
import { toDepositEntries } from '../domain/deposit.js';
import { sumEntries } from '../domain/settlement.js';
import { addToAccounts, openBookings, writeEntries } from './bookings.pg.js';
import type { AccountBalance, Deposit, DepositOutcome, LedgerStore } from './ledger.js';
import { whileAvailable } from './postgres-errors.js';

const selectBalances = loadText(import.meta.url, './select-balances.sql');
const selectDeposit = loadText(import.meta.url, './select-deposit.sql');

/** Opens {@link LedgerStore} on Postgres. */
export function openLedgerStore(pool: Pool): LedgerStore {
  return {
    recordDeposit: (deposit) => whileAvailable(() => inTransaction(pool, (client) => book(client, deposit))),
    balances: ({ advertiserIds, publisherIds }) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{
          kind: AccountBalance['kind'];
          id: string;
          balance_nanos: bigint;
        }>(selectBalances, [advertiserIds, publisherIds]);
        return rows.map((row) => ({ kind: row.kind, id: row.id, balanceNanos: row.balance_nanos }));
      }),
    async sum() {
      const { rows } = await pool.query<{ sum: bigint }>(
        'SELECT coalesce(sum(balance_nanos), 0) AS sum FROM ledger.account',
      );
      return rows[0]?.sum ?? 0n;
    },
  };
}

async function book(client: PoolClient, deposit: Deposit): Promise<DepositOutcome> {
  const { reference, advertiserId, amountNanos, atMs } = deposit;
  const day = dayOf(atMs);
  const opened = await openBookings(client, 'deposit', [
    { id: reference, day, eventDay: null, occurredAtMs: atMs },
  ]);
  if (!opened.has(reference)) {
    const { rows } = await client.query<{ advertiser_id: string; amount_nanos: bigint }>(selectDeposit, [
      reference,
    ]);
    const isSame = rows[0]?.advertiser_id === advertiserId && rows[0].amount_nanos === amountNanos;
    return isSame ? 'same' : 'other';
  }
  const entries = toDepositEntries({ reference, advertiserId, amountNanos, day });
  await writeEntries(client, 'deposit', entries);
  await addToAccounts(client, 'deposit', sumEntries(entries));
  return 'new';
}
