import { loadText } from '@placard/service-kit/files';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import type { AccountFunds, LedgerCheck } from '../domain/verification.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import { inSnapshot } from '../../store/snapshot.js';
import { verifyRowsPiece } from './verification-rows.pg.js';
import type { VerificationStore } from './verification.js';

/**
 * Each check is one statement that returns one row: the number of faults, a description of the first ones, and the compared
 * figures. Operators read the names.
 */
const CHECKS: readonly (readonly [name: string, sql: string])[] = [
  ['accounts sum to zero', loadText(import.meta.url, './verify-sum-is-zero.sql')],
  ['each day is of whole bookings', loadText(import.meta.url, './verify-whole-days.sql')],
  ['accepted = settled + waiting', loadText(import.meta.url, './verify-accepted.sql')],
  [
    'advertiser balance = deposits + adjustments - settled',
    loadText(import.meta.url, './verify-advertiser-balances.sql'),
  ],
  ['balances equal day sums', loadText(import.meta.url, './verify-balances.sql')],
  ['report totals equal the ledger', loadText(import.meta.url, './verify-reports.sql')],
  ['campaign spend equals the ledger', loadText(import.meta.url, './verify-campaign-spend.sql')],
  ['budget sums equal leases', loadText(import.meta.url, './verify-budget-sums.sql')],
  ['budgets equal accepted spend', loadText(import.meta.url, './verify-budget-spend.sql')],
];
const FUNDS_CHECK = 'deposits and adjustments equal the accounts’ funds';
const verifyFunds = loadText(import.meta.url, './verify-funds.sql');

interface CheckRow {
  readonly fault_count: bigint;
  readonly faults: readonly string[] | null;
  readonly summary: string;
}

/**
 * Opens {@link VerificationStore} on Postgres. Statements of `pool` need a timeout of at least a minute, those of `rowsPool`
 * a longer one.
 */
export function openVerificationStore(pool: Pool, rowsPool: Pool = pool): VerificationStore {
  return {
    verify: (funds) => whileAvailable(() => inSnapshot(pool, (client) => verifySums(client, funds))),
    verifyRows: (after) =>
      whileAvailable(() => inSnapshot(rowsPool, (client) => verifyRowsPiece(client, after))),
  };
}

async function verifySums(
  client: PoolClient,
  funds: readonly AccountFunds[] | null,
): Promise<readonly LedgerCheck[]> {
  const checks: LedgerCheck[] = [];
  for (const [name, sql] of CHECKS) checks.push(toCheck(name, (await client.query<CheckRow>(sql)).rows[0]));
  if (funds === null) return checks;
  const { rows } = await client.query<CheckRow>(verifyFunds, [
    funds.map((fund) => fund.kind),
    funds.map((fund) => fund.id),
    funds.map((fund) => fund.nanos),
  ]);
  return [...checks, toCheck(FUNDS_CHECK, rows[0])];
}

function toCheck(name: string, row: CheckRow | undefined): LedgerCheck {
  if (row === undefined) return { name, ok: false, detail: 'the check returned no row' };
  if (row.fault_count === 0n) return { name, ok: true, detail: row.summary };
  const shown = row.faults ?? [];
  const more = row.fault_count - BigInt(shown.length);
  const rest = more > 0n ? `; and ${more.toString()} more` : '';
  return { name, ok: false, detail: `${shown.join('; ')}${rest}` };
}
