import { appError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import type { PoolClient } from '@placard/service-kit/postgres';
import { dayOf, dayToIso } from '@placard/service-kit/pure';
import type { RowCheck, RowsPiece } from '../domain/verification.js';

const selectNextDays = loadText(import.meta.url, './select-next-days.sql');
const selectEventDays = loadText(import.meta.url, './select-event-days.sql');
const DAY_SUMS = ['day sums equal entries', loadText(import.meta.url, './verify-rows-day-sums.sql')] as const;
const ACCEPTED = [
  'accepted impressions are stored and booked',
  loadText(import.meta.url, './verify-rows-accepted.sql'),
] as const;
const LEASES = ['leases equal impressions', loadText(import.meta.url, './verify-rows-leases.sql')] as const;
const CLOSED = [
  'nothing is booked into a closed month',
  loadText(import.meta.url, './verify-rows-closed.sql'),
] as const;
const BOOKINGS = [
  'each booking has exactly its entries',
  loadText(import.meta.url, './verify-rows-bookings.sql'),
] as const;

/** About the most bookings of one statement. So its time and memory are bounded, however large a day is. */
const BOOKINGS_PER_PART_MAX = 1_000_000n;

interface DayRow {
  readonly day: string;
  readonly bookings: bigint;
  readonly days_left: bigint;
}

interface CheckRow {
  readonly fault_count: bigint;
  readonly faults: readonly string[] | null;
  readonly looked_at: bigint;
}

/** The start of a piece: a day (`-infinity`: all rows before the second known day) and the part of the day. */
interface Cursor {
  readonly fromDay: string;
  readonly part: number;
}

/** The rows of a day. They reach up to the next known day, so that rows of unknown days in between are checked too. */
interface Stretch {
  readonly fromDay: string;
  readonly toDay: string;
}

/**
 * Checks one piece from the rows. Part 0 of a day compares sums and counts. Each later part checks a share of the day's
 * bookings.
 */
export async function verifyRowsPiece(client: PoolClient, after: string | null): Promise<RowsPiece> {
  const { fromDay, part } = readCursor(after);
  const [first, second] = (await client.query<DayRow>(selectNextDays, [fromDay])).rows;
  const stretch = { fromDay, toDay: second?.day ?? 'infinity' };
  const parts = partsOf(first?.bookings ?? 0n);
  const checks =
    part === 0
      ? [
          await check(client, DAY_SUMS, stretch),
          await check(client, ACCEPTED, stretch),
          await check(client, LEASES, stretch),
          await check(client, CLOSED, stretch),
        ]
      : [await checkBookings(client, stretch, { part: part - 1, parts })];
  return {
    checks,
    next: part < parts ? `${fromDay}/${part + 1}` : second === undefined ? null : `${second.day}/0`,
    day: first?.day ?? null,
    daysLeft: Math.max(0, Number(first?.days_left ?? 0n) - 1),
  };
}

function readCursor(after: string | null): Cursor {
  if (after === null) return { fromDay: '-infinity', part: 0 };
  const match = /^(-infinity|\d{4}-\d\d-\d\d)\/(\d{1,6})$/.exec(after);
  const fromDay = match?.[1] ?? '';
  if (fromDay !== '-infinity' && !isDay(fromDay))
    throw appError('invalid_argument', 'The piece of the books does not exist.');
  return { fromDay, part: Number(match?.[2]) };
}

/** Whether a text is a day of the calendar since 1970. */
function isDay(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return atMs >= 0 && dayToIso(dayOf(atMs)) === text;
}

function partsOf(bookings: bigint): number {
  return Number((bookings + BOOKINGS_PER_PART_MAX - 1n) / BOOKINGS_PER_PART_MAX) || 1;
}

async function check(
  client: PoolClient,
  [name, sql]: readonly [string, string],
  { fromDay, toDay }: Stretch,
  more: readonly unknown[] = [],
): Promise<RowCheck> {
  const { rows } = await client.query<CheckRow>(sql, [fromDay, toDay, ...more]);
  const [row] = rows;
  if (row === undefined) throw new Error(`the check ${name} returned no row`);
  return { name, faultCount: row.fault_count, faults: row.faults ?? [], rows: row.looked_at };
}

async function checkBookings(
  client: PoolClient,
  stretch: Stretch,
  { part, parts }: { readonly part: number; readonly parts: number },
): Promise<RowCheck> {
  const { rows } = await client.query<{ first_day: string | null; last_day: string | null }>(
    selectEventDays,
    [stretch.fromDay, stretch.toDay],
  );
  const events = [rows[0]?.first_day ?? null, rows[0]?.last_day ?? null];
  return check(client, BOOKINGS, stretch, [part, parts, ...events]);
}
