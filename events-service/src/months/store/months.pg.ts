import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import { dayToIso, type AccountId } from '@placard/service-kit/pure';
import type { AccountKind } from '../../ledger/domain/ledger-entry.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import { inSnapshot } from '../../store/snapshot.js';
import type { ClosedMonth, Month, MonthState, MonthStatement } from '../domain/month.js';
import type { MonthStore } from './months.js';

const lockCloses = loadText(import.meta.url, './lock-closes.sql');
const selectMonth = loadText(import.meta.url, './select-closed-month.sql');
const selectState = loadText(import.meta.url, './select-month-state.sql');
const insertMonth = loadText(import.meta.url, './insert-closed-month.sql');
const insertStatements = loadText(import.meta.url, './insert-statements.sql');
const selectStatements = loadText(import.meta.url, './select-month-statements.sql');

/** Most waiting events that are counted. A larger figure need not be exact. */
const WAITING_MAX = 100_000;

/** Opens {@link MonthStore} on Postgres. Statements of `pool` need a timeout of at least a minute. */
export function openMonthStore(pool: Pool): MonthStore {
  return {
    close: (month, minimumPayoutNanos, judge) =>
      whileAvailable(() =>
        inTransaction(pool, async (client) => {
          await client.query(lockCloses);
          const state = await readState(client, month);
          judge(state);
          if (state.closed !== null) return { isNew: false, month: state.closed };
          await client.query(insertMonth, [dayToIso(month.fromDay), minimumPayoutNanos]);
          await client.query(insertStatements, [dayToIso(month.fromDay), dayToIso(month.toDay)]);
          const closed = await readMonth(client, month);
          if (closed === null) throw new Error('a month that was just closed is open');
          return { isNew: true, month: closed };
        }),
      ),
    statements: ({ month, afterNumber, rowsMax, isDueOnly }) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const closed = await readMonth(client, month);
          if (closed === null) return null;
          const least = isDueOnly ? closed.minimumPayoutNanos : null;
          const wanted = [dayToIso(month.fromDay), afterNumber, rowsMax, least];
          const { rows } = await client.query<StatementRow>(selectStatements, wanted);
          return { month: closed, statements: rows.map(toStatement) };
        }),
      ),
  };
}

interface MonthRow {
  readonly closed_at: number;
  readonly minimum_payout_nanos: bigint;
  readonly first_number: bigint | null;
  readonly last_number: bigint | null;
}

async function readMonth(client: PoolClient, { fromDay }: Month): Promise<ClosedMonth | null> {
  const { rows } = await client.query<MonthRow>(selectMonth, [dayToIso(fromDay)]);
  const [row] = rows;
  if (row === undefined) return null;
  const { first_number: first, last_number: last } = row;
  return {
    fromDay,
    closedAtMs: row.closed_at,
    minimumPayoutNanos: row.minimum_payout_nanos,
    numbers: first === null || last === null ? null : { first, last },
  };
}

async function readState(client: PoolClient, month: Month): Promise<MonthState> {
  const closed = await readMonth(client, month);
  const { rows } = await client.query<{
    first_open_day: number | null;
    first_booked_day: number | null;
    waiting: bigint;
  }>(selectState, [dayToIso(month.toDay), WAITING_MAX]);
  const [row] = rows;
  return {
    closed,
    firstOpenDay: row?.first_open_day ?? null,
    firstBookedDay: row?.first_booked_day ?? null,
    waiting: Number(row?.waiting ?? 0n),
  };
}

interface StatementRow {
  readonly number: bigint;
  readonly account_kind: AccountKind;
  readonly account_id: AccountId;
  readonly opening_nanos: bigint;
  readonly impressions_nanos: bigint;
  readonly deposits_nanos: bigint;
  readonly adjustments_nanos: bigint;
  readonly payouts_nanos: bigint;
  readonly refunds_nanos: bigint;
  readonly closing_nanos: bigint;
  readonly due_nanos: bigint | null;
  readonly open_nanos: bigint | null;
}

function toStatement(row: StatementRow): MonthStatement {
  return {
    number: row.number,
    account: { kind: row.account_kind, id: row.account_id },
    openingNanos: row.opening_nanos,
    impressionsNanos: row.impressions_nanos,
    depositsNanos: row.deposits_nanos,
    adjustmentsNanos: row.adjustments_nanos,
    payoutsNanos: row.payouts_nanos,
    refundsNanos: row.refunds_nanos,
    closingNanos: row.closing_nanos,
    dueNanos: row.due_nanos,
    openNanos: row.open_nanos,
  };
}
