import { loadText, type Pool } from '@placard/service-kit';
import { whileAvailable } from './postgres-errors.js';
import { inSnapshot } from './snapshot.js';
import type { LedgerCheck, VerificationStore } from './verification.js';

/**
 * Each check is one statement that answers one row: how many faults there are, the first of them in words, and what was
 * compared. The names are those that operators read.
 */
const CHECKS: readonly (readonly [name: string, sql: string])[] = [
  ['accounts sum to zero', loadText(import.meta.url, './verify-sum-is-zero.sql')],
  ['each booking is whole', loadText(import.meta.url, './verify-bookings-are-whole.sql')],
  ['each settled impression has its entries', loadText(import.meta.url, './verify-impression-entries.sql')],
  ['accepted = settled + waiting', loadText(import.meta.url, './verify-accepted.sql')],
  ['advertiser balance = deposits - settled', loadText(import.meta.url, './verify-advertiser-balances.sql')],
  ['balances equal entries', loadText(import.meta.url, './verify-balances.sql')],
  ['day sums equal entries', loadText(import.meta.url, './verify-day-sums.sql')],
  ['report totals equal the ledger', loadText(import.meta.url, './verify-reports.sql')],
  ['campaign spend equals the ledger', loadText(import.meta.url, './verify-campaign-spend.sql')],
];
const FUNDS_CHECK = [
  'deposits equal the advertisers’ funds',
  loadText(import.meta.url, './verify-funds.sql'),
] as const;

interface CheckRow {
  readonly fault_count: bigint;
  readonly faults: readonly string[] | null;
  readonly summary: string;
}

/** Opens {@link VerificationStore} on Postgres; the pool's statements must be allowed to run for a minute. */
export function openVerificationStore(pool: Pool): VerificationStore {
  return {
    verify: (funds) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const checks: LedgerCheck[] = [];
          for (const [name, sql] of CHECKS)
            checks.push(toCheck(name, (await client.query<CheckRow>(sql)).rows[0]));
          const values = [funds.map((fund) => fund.advertiserId), funds.map((fund) => fund.fundedNanos)];
          checks.push(
            toCheck(FUNDS_CHECK[0], (await client.query<CheckRow>(FUNDS_CHECK[1], values)).rows[0]),
          );
          return checks;
        }),
      ),
  };
}

function toCheck(name: string, row: CheckRow | undefined): LedgerCheck {
  if (row === undefined) return { name, ok: false, detail: 'the check gave no answer' };
  if (row.fault_count === 0n) return { name, ok: true, detail: row.summary };
  const shown = row.faults ?? [];
  const more = row.fault_count - BigInt(shown.length);
  const rest = more > 0n ? `; and ${more.toString()} more` : '';
  return { name, ok: false, detail: `${shown.join('; ')}${rest}` };
}
