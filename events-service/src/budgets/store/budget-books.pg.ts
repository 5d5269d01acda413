import { loadText } from '@placard/service-kit/files';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import { dayToIso, type AdvertiserId, type CampaignId, asCampaignId } from '@placard/service-kit/pure';
import {
  leaseDay,
  type BudgetSum,
  type ClosedFills,
  type Lease,
  type LeaseKey,
  type PaceAnchor,
} from '../domain/lease.js';
import { addRows, toColumns, type ColumnValue } from '../../store/columns.js';

const selectSums = loadText(import.meta.url, './select-budget-sums.sql');
const lockingSelect = selectSums.replaceAll('-- FOR NO KEY UPDATE', 'FOR NO KEY UPDATE');
const lockLeases = loadText(import.meta.url, './lock-leases.sql');
const selectOwners = loadText(import.meta.url, './select-lease-owners.sql');
const moveSums = loadText(import.meta.url, './move-budget-sums.sql');

const DAY_COLUMNS: readonly ((day: BudgetDay) => ColumnValue)[] = [
  (day) => day.advertiserId,
  (day) => day.campaignId,
  (day) => dayToIso(day.day),
];

/** A day of a campaign. It has three sums: the day's, the campaign's and the advertiser's. */
export interface BudgetDay {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  /** UTC day since 1970, of the fills. */
  readonly day: number;
}

/** The sums of a campaign, with the figures of its closed fills. */
export interface CampaignSums extends BudgetSum {
  readonly closedFills: ClosedFills;
}

/** The sums of a campaign's day, with the anchor of its plan. */
export interface DaySums extends BudgetSum {
  anchor: PaceAnchor | null;
}

/** Sums by key; a row that is missing is not in the map. */
export interface BudgetSums {
  readonly advertisers: ReadonlyMap<string, BudgetSum>;
  readonly campaigns: ReadonlyMap<string, CampaignSums>;
  readonly days: ReadonlyMap<string, DaySums>;
}

/** Amounts that are added to the sums of a day, its campaign and its advertiser. */
export interface SumsMove extends BudgetDay {
  readonly openNanos: bigint;
  readonly closedNanos: bigint;
}

/** The key of a campaign in {@link BudgetSums}. */
export function campaignKey({ advertiserId, campaignId }: Omit<BudgetDay, 'day'>): string {
  return `${advertiserId}/${campaignId}`;
}

/** The key of a day in {@link BudgetSums}. */
export function dayKey(day: BudgetDay): string {
  return `${campaignKey(day)}/${day.day}`;
}

/** The key of a lease in a map. */
export function leaseKey({ campaignId, minute, run }: LeaseKey): string {
  return `${campaignId}/${minute}/${run}`;
}

/** The days without repetitions. */
export function distinctDays(days: readonly BudgetDay[]): readonly BudgetDay[] {
  return [...new Map(days.map((day) => [dayKey(day), day])).values()];
}

/** Locks and reads sums. Every transaction locks in this order: advertisers, campaigns, days. */
export function lockSums(client: PoolClient, days: readonly BudgetDay[]): Promise<BudgetSums> {
  return querySums(client, days, { name: 'lock-budget-sums', text: lockingSelect });
}

/** Reads the same without locks. */
export function readSums(client: Querying, days: readonly BudgetDay[]): Promise<BudgetSums> {
  return querySums(client, days, { name: 'read-budget-sums', text: selectSums });
}

/** A pool, or the connection of a transaction. */
export type Querying = Pick<PoolClient, 'query'> | Pool;

async function querySums(
  client: Querying,
  days: readonly BudgetDay[],
  statement: { readonly name: string; readonly text: string },
): Promise<BudgetSums> {
  if (days.length === 0) return toSums([]);
  const { rows } = await client.query<SumRow>({ ...statement, values: [...dayColumns(days)] });
  return toSums(rows);
}

/** The day of a lease, and its returned money. */
export interface OwnedLease extends BudgetDay {
  readonly minute: number;
  readonly returnedNanos: bigint;
}

/** Reads the owners of leases without locks and skips missing leases. An owner never changes, and returns never fall. */
export async function readOwners(
  client: Querying,
  keys: readonly LeaseKey[],
): Promise<readonly OwnedLease[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<OwnerRow>({
    name: 'select-lease-owners',
    text: selectOwners,
    values: [...keyColumns(keys)],
  });
  return rows.map((row) => {
    const minute = Number(row.minute);
    return {
      advertiserId: row.advertiser_id,
      campaignId: row.campaign_id,
      day: leaseDay({ minute }),
      minute,
      returnedNanos: row.returned_nanos,
    };
  });
}

/** Locks leases. A transaction that also locks their sums has locked those before. */
export async function findAndLockLeases(
  client: PoolClient,
  keys: readonly LeaseKey[],
): Promise<readonly Lease[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<LeaseRow>({
    name: 'lock-leases',
    text: lockLeases,
    values: [...keyColumns(keys)],
  });
  return rows.map(toLease);
}

/** Adds to the sums; their locks are held. */
export async function moveBudgetSums(client: PoolClient, moves: readonly SumsMove[]): Promise<void> {
  const merged = new Map<string, SumsMove>();
  for (const move of moves) {
    const before = merged.get(dayKey(move));
    merged.set(dayKey(move), {
      ...move,
      openNanos: move.openNanos + (before?.openNanos ?? 0n),
      closedNanos: move.closedNanos + (before?.closedNanos ?? 0n),
    });
  }
  const changed = [...merged.values()].filter((move) => move.openNanos !== 0n || move.closedNanos !== 0n);
  if (changed.length === 0) return;
  await addRows(client, { name: 'move-budget-sums', text: moveSums }, changed, [
    ...DAY_COLUMNS,
    (move) => move.openNanos,
    (move) => move.closedNanos,
  ]);
}

/** Days as columns: advertisers, campaigns, days. */
export function dayColumns(days: readonly BudgetDay[]): readonly string[] {
  return toColumns(days, DAY_COLUMNS);
}

/** Keys of leases as columns. */
export function keyColumns(keys: readonly LeaseKey[]): readonly string[] {
  return toColumns(keys, [(key) => key.campaignId, (key) => key.minute, (key) => key.run]);
}

/** Columns of the other kinds are null. */
interface SumRow {
  readonly kind: 'advertiser' | 'campaign' | 'day';
  readonly advertiser_id: AdvertiserId;
  readonly campaign_id: CampaignId | null;
  readonly day: number | null;
  readonly open_nanos: bigint;
  readonly closed_nanos: bigint;
  readonly shown_nanos: number | null;
  readonly unshown_nanos: number | null;
  readonly late_nanos: number | null;
  readonly anchor_at: number | null;
  readonly anchor_spent_nanos: bigint | null;
  readonly anchor_budget_nanos: bigint | null;
}

interface OwnerRow {
  readonly advertiser_id: AdvertiserId;
  readonly campaign_id: CampaignId;
  readonly minute: bigint;
  readonly returned_nanos: bigint;
}

interface LeaseRow {
  readonly campaign_id: CampaignId;
  readonly minute: bigint;
  readonly run: string;
  readonly advertiser_id: AdvertiserId;
  readonly granted_nanos: bigint;
  readonly returned_nanos: bigint;
  readonly filled_nanos: bigint;
  readonly accepted_nanos: bigint;
  readonly suspicious_nanos: bigint;
  readonly late_nanos: bigint;
  readonly released_nanos: bigint;
  readonly is_ended: boolean;
  readonly is_closed: boolean;
}

function toSums(rows: readonly SumRow[]): BudgetSums {
  const sums = { advertisers: new Map<string, BudgetSum>(), campaigns: new Map<string, CampaignSums>() };
  const days = new Map<string, DaySums>();
  for (const row of rows) {
    const sum = { openNanos: row.open_nanos, closedNanos: row.closed_nanos };
    const key = { advertiserId: row.advertiser_id, campaignId: row.campaign_id ?? asCampaignId('') };
    if (row.kind === 'advertiser') sums.advertisers.set(row.advertiser_id, sum);
    else if (row.kind === 'day')
      days.set(dayKey({ ...key, day: row.day ?? 0 }), { ...sum, anchor: toAnchor(row) });
    else sums.campaigns.set(campaignKey(key), { ...sum, closedFills: toClosedFills(row) });
  }
  return { ...sums, days };
}

function toClosedFills({ shown_nanos, unshown_nanos, late_nanos }: SumRow): ClosedFills {
  return { shownNanos: shown_nanos ?? 0, unshownNanos: unshown_nanos ?? 0, lateNanos: late_nanos ?? 0 };
}

function toAnchor({ anchor_at, anchor_spent_nanos, anchor_budget_nanos }: SumRow): PaceAnchor | null {
  if (anchor_at === null || anchor_spent_nanos === null || anchor_budget_nanos === null) return null;
  return { atMs: anchor_at, spentNanos: anchor_spent_nanos, budgetNanos: anchor_budget_nanos };
}

function toLease(row: LeaseRow): Lease {
  return {
    campaignId: row.campaign_id,
    minute: Number(row.minute),
    run: row.run,
    advertiserId: row.advertiser_id,
    grantedNanos: row.granted_nanos,
    returnedNanos: row.returned_nanos,
    filledNanos: row.filled_nanos,
    acceptedNanos: row.accepted_nanos,
    suspiciousNanos: row.suspicious_nanos,
    lateNanos: row.late_nanos,
    releasedNanos: row.released_nanos,
    isEnded: row.is_ended,
    isClosed: row.is_closed,
  };
}
