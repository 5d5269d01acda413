import { makePool, type Pool } from '@placard/service-kit/postgres';
import type { Balances, Report, Verification } from '../driver/books.js';
import { nanos } from '../driver/books.js';
import { runPlacard } from '../driver/placard.js';
import type { LedgerEntry, LedgerFacts, StoredEvent } from './comparison.js';

const ENTRIES = `
  SELECT kind, transaction_id AS "transactionId", account_kind AS "accountKind", account_id AS "accountId",
    amount_nanos::int8 AS "amountNanos"
  FROM ledger.entry`;

const EVENTS = `
  SELECT type, request_id AS "requestId", campaign_id AS "campaignId", day - date '1970-01-01' AS day,
    settled_at IS NOT NULL AS "isSettled"
  FROM events.event
  WHERE verdict = 'accepted' AND NOT is_test`;

/** Checks that the verification must contain, since the comparison does not read leases. */
const BUDGET_CHECKS = [
  'budget sums equal leases',
  'budgets equal accepted spend',
  'leases equal impressions',
];

/** Opens a direct connection to the product's tables. */
export function openTables(databaseUrl: string): Pool {
  return makePool({ url: databaseUrl, poolMax: 2 }, () => undefined);
}

/** Waits until everything is settled, and returns descriptions of the failed checks of `ledger verify --full`. */
export async function readFailedChecks(consoleAddress: string): Promise<readonly string[]> {
  const args = ['ledger', 'verify', '--full', '--wait', '--json'];
  const { checks } = await ask<Verification>(consoleAddress, ...args);
  const missing = BUDGET_CHECKS.filter((name) => !checks.some((check) => check.name === name));
  return [
    ...checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`),
    ...missing.map((name) => `${name}: is not checked`),
  ];
}

/** Waits until everything is settled, and reads the ledger, the events and the reports. */
export async function readFacts(consoleAddress: string, tables: Pool): Promise<LedgerFacts> {
  const failedChecks = await readFailedChecks(consoleAddress);
  const balances = await ask<Balances>(consoleAddress, 'ledger', 'balances', '--json');
  const byCampaign = await ask<Report>(consoleAddress, ...['report', '--by', 'campaign', '--format', 'json']);
  const whole = await ask<Report>(consoleAddress, 'report', '--format', 'json');
  const [entries, events] = await Promise.all([
    tables.query<LedgerEntry>(ENTRIES),
    tables.query<StoredEvent>(EVENTS),
  ]);
  return {
    entries: entries.rows,
    events: events.rows,
    accounts: balances.accounts,
    sumNanos: nanos(balances.sum),
    failedChecks,
    held: null,
    byCampaign: byCampaign.rows,
    fallbacks: whole.rows.reduce((sum, row) => sum + (row.fallbacks ?? 0), 0),
  };
}

/** Runs the command and reads its JSON. A failed verification prints JSON too. */
async function ask<T>(consoleAddress: string, ...args: readonly string[]): Promise<T> {
  const result = await runPlacard(consoleAddress, args);
  try {
    return JSON.parse(result.stdout) as T;
  } catch {
    throw new Error(`placard ${args.join(' ')} ended with ${result.status ?? 'a signal'}: ${result.stderr}`);
  }
}
