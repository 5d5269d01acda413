import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { dayToIso, type AccountId, type AppId, type CampaignId } from '@placard/service-kit/pure';
import type { AccountKind } from '../domain/ledger-entry.js';
import type { StatementLine } from '../domain/statement.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import { inSnapshot } from '../../store/snapshot.js';
import type { StatementStore } from './statement.js';

const selectBalances = loadText(import.meta.url, './select-statement-balances.sql');
const selectNumber = loadText(import.meta.url, './select-statement-number.sql');
const selectLines = loadText(import.meta.url, './select-statement-lines.sql');

interface LineRow {
  readonly day: string;
  readonly kind: StatementLine['kind'];
  readonly reference: string | null;
  readonly counter_kind: AccountKind | null;
  readonly counter_id: AccountId | null;
  readonly reason: string | null;
  readonly campaign_id: CampaignId | null;
  readonly app_id: AppId | null;
  readonly impressions: bigint;
  readonly amount_nanos: bigint;
}

/** Opens {@link StatementStore} on Postgres. */
export function openStatementStore(pool: Pool): StatementStore {
  return {
    read: ({ kind, id }, { fromDay, toDay, linesMax }) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const asked = [kind, id, dayToIso(fromDay), dayToIso(toDay)];
          const balances = await client.query<{ opening_nanos: bigint; closing_nanos: bigint }>(
            selectBalances,
            asked,
          );
          const numbers = await client.query<{ number: bigint }>(selectNumber, asked);
          const lines = await client.query<LineRow>(selectLines, [...asked, linesMax + 1]);
          return {
            openingNanos: balances.rows[0]?.opening_nanos ?? 0n,
            lines: lines.rows.map(toLine),
            closingNanos: balances.rows[0]?.closing_nanos ?? 0n,
            number: numbers.rows[0]?.number ?? null,
          };
        }),
      ),
  };
}

function toLine(row: LineRow): StatementLine {
  const { counter_kind: kind, counter_id: id } = row;
  return {
    day: row.day,
    kind: row.kind,
    reference: row.reference,
    counter: kind === null || id === null ? null : { kind, id },
    reason: row.reason,
    campaignId: row.campaign_id,
    appId: row.app_id,
    impressions: row.impressions,
    amountNanos: row.amount_nanos,
  };
}
