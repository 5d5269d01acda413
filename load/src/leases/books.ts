import { loadText } from '@placard/service-kit/files';
import { makePool, type Pool } from '@placard/service-kit/postgres';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BookFigures } from './figures.js';

const readBooks = loadText(import.meta.url, './read-books.sql');
const makePast = loadText(import.meta.url, './make-past.sql');
const PAST_MS_MAX = 600_000;

/** The database of a product with built-in stores. */
export interface Books {
  /** Makes the open leases of a load that began half an hour ago. */
  makePast(past: PastLeases): Promise<void>;
  read(): Promise<BookFigures>;
  close(): Promise<void>;
}

/** Leases of one ad each, from replicas that have ended. */
export interface PastLeases {
  readonly campaigns: readonly PastCampaign[];
  /** Number of minutes up to the last one, and leases of a campaign in each. */
  readonly minutes: number;
  readonly leasesPerMinute: number;
  readonly adTtlMs: number;
}

/** The fields of a campaign that leases need. */
export interface PastCampaign {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly costNanos: bigint;
}

/** Opens the books of a product by its data folder. */
export function openBooks(dataDir: string): Books {
  const pool = makePool(
    { url: urlOf(dataDir), poolMax: 1, statementTimeoutMs: PAST_MS_MAX },
    () => undefined,
  );
  return {
    makePast: (past) => insertPast(pool, past),
    read: () => readFigures(pool),
    close: () => pool.end(),
  };
}

async function insertPast(
  pool: Pool,
  { campaigns, minutes, leasesPerMinute, adTtlMs }: PastLeases,
): Promise<void> {
  await pool.query(makePast, [
    campaigns.map(({ advertiserId }) => advertiserId),
    campaigns.map(({ campaignId }) => campaignId),
    campaigns.map(({ costNanos }) => costNanos),
    ...[minutes, leasesPerMinute, adTtlMs],
  ]);
  await pool.query('ANALYZE budget.lease, budget.campaign_day, budget.campaign, budget.advertiser');
}

async function readFigures(pool: Pool): Promise<BookFigures> {
  const { rows } = await pool.query<Record<string, bigint>>(readBooks);
  const of = (name: string): number => Number(rows[0]?.[name] ?? 0n);
  return {
    rowsWritten: of('rows_written'),
    leasesMade: of('leases_made'),
    transactions: of('transactions'),
    walBytes: of('wal_bytes'),
    tableBytes: of('table_bytes'),
    openLeases: of('open_leases'),
  };
}

function urlOf(dataDir: string): string {
  const read = (name: string): unknown => JSON.parse(readFileSync(path.join(dataDir, name), 'utf8'));
  const { postgresPassword } = read('secrets.json') as { readonly postgresPassword: string };
  const { postgres } = read('ports.json') as { readonly postgres: number };
  return `postgres://placard:${encodeURIComponent(postgresPassword)}@127.0.0.1:${postgres}/placard`;
}
