import { answerOf, withInstance, type CommandIo } from '@placard/console-service/cli/session.js';
import type { Schemas } from '@placard/console-service/manage/domain/operations.js';
import { parse } from 'yaml';
import { HOUR_MS } from '@placard/service-kit/pure';
import type { AppEntry, Market } from '../market/market.js';
import { servedApps } from '../market/served-apps.js';
import { amount } from './domain/amount.js';
import { appRow, byReason, campaignRow, placementRow, seenReason } from './domain/rows.js';
import { Tally } from './domain/tally.js';

/** A running instance. */
export interface Instance {
  readonly io: CommandIo;
  /** Undefined: `PLACARD_ADDRESS` of the environment, else `.data`. */
  readonly dataDir: string | undefined;
}

/** The apps of the instance's catalog that get ads. */
export async function readApps(instance: Instance): Promise<readonly AppEntry[]> {
  return withInstance(instance, async (client) => {
    const text = await answerOf(client.GET('/catalog/export', { parseAs: 'text' }));
    const { publishers = [] } = parse(text) as Partial<Market>;
    return servedApps({ publishers });
  });
}

/** Waits until every event is settled and counted. Returns what is wrong with the instance's books, in one line; null: nothing. */
export async function untilCounted(instance: Instance): Promise<string | null> {
  return withInstance(instance, async (client) => {
    const query = { wait: true };
    const { checks, waiting } = await answerOf(client.GET('/ledger/verification', { params: { query } }));
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failed.length > 0) return `The books of the instance are wrong: ${failed.join(', ')}.`;
    return waiting === null ? null : `Not settled within a minute: ${amount(waiting.events, 'events')}.`;
  });
}

/** The reports of some apps from an instant on, as a tally of exact counts. */
export async function readReports(
  instance: Instance,
  apps: ReadonlySet<string>,
  fromMs: number,
): Promise<Tally> {
  const range = { from: toInstant(fromMs), to: toInstant(fromMs + RANGE_MS) };
  return withInstance(instance, async (client) => {
    const tally = new Tally();
    for (const [by, add] of REPORTS) {
      const query = { by: [...by], ...range };
      const { rows } = await answerOf(client.GET('/report', { params: { query } }));
      for (const row of rows) if (row.app !== undefined && apps.has(row.app)) add(tally, row.app, row);
    }
    return tally;
  });
}

/** Longer than the longest run. */
const RANGE_MS = 8 * 86_400_000;

/** The begin of the hour of an instant: counts are kept by hours. */
function toInstant(ms: number): string {
  return new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString();
}

type Row = Schemas['ReportRow'];
type Add = (tally: Tally, app: string, row: Row) => void;

const REPORTS: readonly (readonly [
  by: readonly ('app' | 'placement' | 'country' | 'campaign')[],
  add: Add,
])[] = [
  [['app', 'placement', 'country'], addPlacement],
  [['app', 'campaign'], addCampaign],
  [['app'], addErrors],
];

function addPlacement(tally: Tally, app: string, row: Row): void {
  const key = placementRow(app, row.placement ?? '', row.country ?? '');
  tally.add(key, 'requests', row.requests ?? 0);
  addEvents(tally, key, row);
  for (const [reason, count] of Object.entries(row.no_fills ?? {}))
    tally.add(key, byReason('no-fill', seenReason(reason)), count);
  for (const [reason, count] of Object.entries(row.fallbacks_by_reason ?? {}))
    tally.add(key, byReason('fallback', reason), count);
  for (const [reason, count] of Object.entries(row.rejected ?? {}))
    tally.add(key, byReason('refused', reason), count);
}

function addCampaign(tally: Tally, app: string, row: Row): void {
  addEvents(tally, campaignRow(app, row.campaign ?? ''), row);
}

function addEvents(tally: Tally, key: string, { fills, impressions, clicks, rewards }: Row): void {
  const figures = { fills, impressions, clicks, rewards };
  for (const [figure, count] of Object.entries(figures)) if (count !== 0) tally.add(key, figure, count ?? 0);
}

function addErrors(tally: Tally, app: string, { errors }: Row): void {
  for (const [name, count] of Object.entries(errors ?? {}))
    tally.add(appRow(app), byReason('error', name), count);
}
