import { loadText } from '@placard/service-kit/files';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import type { AccountSum, GivenMoney, LedgerCheck } from '../domain/verification.js';
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
  ['statements of closed months equal the ledger', loadText(import.meta.url, './verify-statements.sql')],
  ['statements are numbered without a gap', loadText(import.meta.url, './verify-statement-numbers.sql')],
];
const FUNDS_CHECK = 'deposits and adjustments equal the accounts’ funds';
const verifyFunds = loadText(import.meta.url, './verify-funds.sql');
const TRANSFERS_CHECK = 'payouts and refunds equal those of the operators';
const verifyTransfers = loadText(import.meta.url, './verify-transfers.sql');

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
    verify: (given) => whileAvailable(() => inSnapshot(pool, (client) => verifySums(client, given))),
    verifyGiven: (given) => whileAvailable(() => inSnapshot(pool, (client) => compare(client, given))),
    verifyRows: (after) =>
      whileAvailable(() => inSnapshot(rowsPool, (client) => verifyRowsPiece(client, after))),
  };
}

async function verifySums(client: PoolClient, given: GivenMoney | null): Promise<readonly LedgerCheck[]> {
  const checks: LedgerCheck[] = [];
  for (const [name, sql] of CHECKS) checks.push(toCheck(name, (await client.query<CheckRow>(sql)).rows[0]));
  return given === null ? checks : [...checks, ...(await compare(client, given))];
}

async function compare(
  client: PoolClient,
  { funds, transfers }: GivenMoney,
): Promise<readonly LedgerCheck[]> {
  const compared = [await compareOne(client, [FUNDS_CHECK, verifyFunds], funds)];
  if (transfers !== null)
    compared.push(await compareOne(client, [TRANSFERS_CHECK, verifyTransfers], transfers));
  return compared;
}

async function compareOne(
  client: PoolClient,
  [name, sql]: readonly [string, string],
  sums: readonly AccountSum[],
): Promise<LedgerCheck> {
  const { rows } = await client.query<CheckRow>(sql, [
    sums.map((sum) => sum.kind),
    sums.map((sum) => sum.id),
    sums.map((sum) => sum.nanos),
  ]);
  return toCheck(name, rows[0]);
}

function toCheck(name: string, row: CheckRow | undefined): LedgerCheck {
  if (row === undefined) return { name, ok: false, detail: 'the check returned no row' };
  if (row.fault_count === 0n) return { name, ok: true, detail: row.summary };
  const shown = row.faults ?? [];
  const more = row.fault_count - BigInt(shown.length);
  const rest = more > 0n ? `; and ${more.toString()} more` : '';
  return { name, ok: false, detail: `${shown.join('; ')}${rest}` };
}
