import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import { HOUR_MS, MINUTE_MS, hourOf } from '@placard/service-kit/pure';
import type { Fallback } from '../../events/domain/fallback.js';
import type { RejectionCount } from '../../events/domain/rejection-counts.js';
import { AD_COLUMNS, addRows, hourStartOf, PLACE_COLUMNS } from '../../store/columns.js';
import type {
  AppErrorCount,
  CountStore,
  FillCount,
  LossCount,
  ReportName,
  RequestCount,
  TrafficCount,
} from './counts.js';
import { whileAvailable } from '../../store/postgres-errors.js';

const insertReportApplied = loadText(import.meta.url, './insert-report-applied.sql');
const addRequestsSql = loadText(import.meta.url, './add-requests.sql');
const addVersionRequestsSql = loadText(import.meta.url, './add-version-requests.sql');
const addErrorsSql = loadText(import.meta.url, './add-errors.sql');
const addTrafficSql = loadText(import.meta.url, './add-traffic.sql');
const addFillHoursSql = loadText(import.meta.url, './add-fill-hours.sql');
const addFillsSql = loadText(import.meta.url, './add-fills.sql');
const addLossesSql = loadText(import.meta.url, '../../explain/store/add-losses.sql');
const addRejectionsSql = loadText(import.meta.url, './add-rejections.sql');
const addFallbacksSql = loadText(import.meta.url, './add-fallbacks.sql');
const pruneFills = loadText(import.meta.url, './prune-fills.sql');
const pruneReportsApplied = loadText(import.meta.url, './prune-reports-applied.sql');

const HALF_HOUR_MS = 30 * MINUTE_MS;

/** Opens {@link CountStore} on Postgres. */
export function openCountStore(pool: Pool): CountStore {
  const once = (name: ReportName, work: (client: PoolClient) => Promise<void>): Promise<boolean> =>
    whileAvailable(() =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query({
          name: 'insert-report-applied',
          text: insertReportApplied,
          values: [name.reporterId, name.sequence],
        });
        if (rowCount === 0) return false;
        await work(client);
        return true;
      }),
    );
  return {
    addServingReport: ({ name, requests, fills, traffic, losses }) =>
      once(name, async (client) => {
        await addRequests(client, requests);
        await addVersionRequests(client, requests);
        await addFillHours(client, fills);
        await addFills(client, fills.filter(isOfOlderRelease));
        await addTraffic(client, traffic);
        await addLosses(client, losses);
      }),
    addRejections: (name, counts) => once(name, (client) => addRejections(client, counts)),
    addErrors: (name, counts) => once(name, (client) => addErrors(client, counts)),
    addFallbacks: (fallbacks) => whileAvailable(() => addFallbacks(pool, fallbacks)),
    async prune({ fillsSeconds, reportsSeconds }) {
      await pool.query(pruneFills, [fillsSeconds]);
      await pool.query(pruneReportsApplied, [reportsSeconds]);
    },
  };
}

/** A release without leases reports the price of its fills. Triggers turn it into leases. */
function isOfOlderRelease({ reservedNanos }: FillCount): boolean {
  return reservedNanos > 0n;
}

async function addRequests(client: PoolClient, counts: readonly RequestCount[]): Promise<void> {
  await addRows(client, { name: 'add-requests', text: addRequestsSql }, counts, [
    hourStartOf,
    ...PLACE_COLUMNS,
    (count) => count.noFillReason,
    (count) => count.count,
  ]);
}

async function addVersionRequests(client: PoolClient, counts: readonly RequestCount[]): Promise<void> {
  await addRows(client, { name: 'add-version-requests', text: addVersionRequestsSql }, counts, [
    hourStartOf,
    (count) => count.publisherId,
    (count) => count.appId,
    (count) => count.country,
    (count) => count.appVersion,
    (count) => count.sdkVersion,
    (count) => count.noFillReason,
    (count) => count.count,
  ]);
}

async function addErrors(client: PoolClient, counts: readonly AppErrorCount[]): Promise<void> {
  await addRows(client, { name: 'add-errors', text: addErrorsSql }, counts, [
    hourStartOf,
    (count) => count.publisherId,
    (count) => count.appId,
    (count) => count.error,
    (count) => count.count,
  ]);
}

async function addFillHours(client: PoolClient, counts: readonly FillCount[]): Promise<void> {
  await addRows(client, { name: 'add-fill-hours', text: addFillHoursSql }, counts, [
    (count) => hourOf(count.minute * MINUTE_MS) * HOUR_MS,
    ...PLACE_COLUMNS,
    ...AD_COLUMNS,
    (count) => count.count,
  ]);
}

async function addFills(client: PoolClient, counts: readonly FillCount[]): Promise<void> {
  await addRows(client, { name: 'add-fills', text: addFillsSql }, counts, [
    (count) => count.advertiserId,
    (count) => count.campaignId,
    (count) => count.minute,
    (count) => count.count,
    (count) => count.reservedNanos,
    (count) => count.expiresAtMs,
  ]);
}

async function addTraffic(client: PoolClient, counts: readonly TrafficCount[]): Promise<void> {
  await addRows(client, { name: 'add-traffic', text: addTrafficSql }, counts, [
    (count) => count.halfHour * HALF_HOUR_MS,
    (count) => count.category,
    (count) => count.format,
    (count) => count.requests,
  ]);
}

async function addLosses(client: PoolClient, counts: readonly LossCount[]): Promise<void> {
  await addRows(client, { name: 'add-losses', text: addLossesSql }, counts, [
    (count) => count.campaignId,
    hourStartOf,
    (count) => count.step,
    (count) => count.rival,
    (count) => count.requests,
    (count) => count.samples,
  ]);
}

async function addRejections(client: PoolClient, counts: readonly RejectionCount[]): Promise<void> {
  await addRows(client, { name: 'add-rejections', text: addRejectionsSql }, counts, [
    hourStartOf,
    ...PLACE_COLUMNS,
    ...AD_COLUMNS,
    (count) => count.reason,
    (count) => count.rejections,
  ]);
}

async function addFallbacks(pool: Pool, fallbacks: readonly Fallback[]): Promise<void> {
  await addRows(pool, { name: 'add-fallbacks', text: addFallbacksSql }, fallbacks, [
    hourStartOf,
    ...PLACE_COLUMNS,
    (fallback) => fallback.reason,
  ]);
}
