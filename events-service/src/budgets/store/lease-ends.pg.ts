import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import { dayToIso, type CampaignId } from '@placard/service-kit/pure';
import { leaseDay, openPart, type Lease, type LeaseKey } from '../domain/lease.js';
import {
  campaignKey,
  distinctDays,
  findAndLockLeases,
  keyColumns,
  lockSums,
  moveBudgetSums,
  readOwners,
  type BudgetDay,
} from './budget-books.pg.js';
import { addRows } from '../../store/columns.js';
import type { ClosedLeases } from './leases.js';

const selectDue = loadText(import.meta.url, './select-due-leases.sql');
const closeLeases = loadText(import.meta.url, './close-leases.sql');
const learnFills = loadText(import.meta.url, './learn-closed-fills.sql');
const release = loadText(import.meta.url, './release-suspicious.sql');

/** Gives the price of suspicious impressions back to the sums, once. */
export async function releaseSuspicious(pool: Pool, keys: readonly LeaseKey[]): Promise<void> {
  await withLocked(pool, keys, async (client, leases) => {
    const open = leases.filter((lease) => !lease.isClosed && lease.suspiciousNanos > lease.releasedNanos);
    if (open.length === 0) return;
    await client.query({ name: 'release-suspicious', text: release, values: [...keyColumns(open)] });
    await moveBudgetSums(
      client,
      open.map((lease) => ({
        ...dayOfLease(lease),
        openNanos: lease.releasedNanos - lease.suspiciousNanos,
        closedNanos: 0n,
      })),
    );
  });
}

/** Closes due leases, each once. Accepted money stays spent; the rest is headroom again. */
export async function closeDue(
  pool: Pool,
  due: { readonly overBeforeMs: number; readonly nowMs: number; readonly countMax: number },
): Promise<ClosedLeases> {
  const { rows } = await pool.query<{ campaign_id: CampaignId; minute: bigint; run: string }>(selectDue, [
    due.overBeforeMs,
    due.countMax,
  ]);
  const keys = rows.map((row) => ({ campaignId: row.campaign_id, minute: Number(row.minute), run: row.run }));
  let closed: ClosedLeases = { leases: 0, returnedNanos: 0n, spentNanos: 0n };
  await withLocked(pool, keys, async (client, leases) => {
    const open = leases.filter((lease) => !lease.isClosed);
    if (open.length === 0) return;
    await client.query({
      name: 'close-leases',
      text: closeLeases,
      values: [...keyColumns(open), due.nowMs],
    });
    await moveBudgetSums(
      client,
      open.map((lease) => ({
        ...dayOfLease(lease),
        openNanos: -openPart(lease),
        closedNanos: lease.acceptedNanos,
      })),
    );
    await learn(client, open);
    const returnedNanos = open.reduce((sum, lease) => sum + openPart(lease) - lease.acceptedNanos, 0n);
    const spentNanos = open.reduce((sum, lease) => sum + lease.acceptedNanos, 0n);
    closed = { leases: open.length, returnedNanos, spentNanos };
  });
  return closed;
}

/** Locks leases and their sums, and runs `work` on them. */
async function withLocked(
  pool: Pool,
  keys: readonly LeaseKey[],
  work: (client: PoolClient, leases: readonly Lease[]) => Promise<void>,
): Promise<void> {
  if (keys.length === 0) return;
  await inTransaction(pool, async (client) => {
    await lockSums(client, distinctDays(await readOwners(client, keys)));
    await work(client, await findAndLockLeases(client, keys));
  });
}

interface Learned extends BudgetDay {
  shownNanos: number;
  unshownNanos: number;
  lateNanos: number;
}

async function learn(client: PoolClient, leases: readonly Lease[]): Promise<void> {
  const byCampaign = new Map<string, Learned>();
  for (const lease of leases) {
    const day = dayOfLease(lease);
    const before = byCampaign.get(campaignKey(day));
    const unshown = lease.filledNanos - lease.acceptedNanos - lease.suspiciousNanos;
    byCampaign.set(campaignKey(day), {
      ...day,
      day: Math.max(day.day, before?.day ?? day.day),
      shownNanos: (before?.shownNanos ?? 0) + Number(lease.acceptedNanos),
      unshownNanos: (before?.unshownNanos ?? 0) + Math.max(0, Number(unshown)),
      lateNanos: (before?.lateNanos ?? 0) + Number(lease.lateNanos),
    });
  }
  await addRows(
    client,
    { name: 'learn-closed-fills', text: learnFills },
    [...byCampaign.values()],
    [
      (each) => each.advertiserId,
      (each) => each.campaignId,
      (each) => dayToIso(each.day),
      (each) => each.shownNanos,
      (each) => each.unshownNanos,
      (each) => each.lateNanos,
    ],
  );
}

function dayOfLease(lease: Lease): BudgetDay {
  return { advertiserId: lease.advertiserId, campaignId: lease.campaignId, day: leaseDay(lease) };
}
