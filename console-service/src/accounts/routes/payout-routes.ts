import { formatNanos, toIso } from '@placard/service-kit/pure';
import { actorText } from '../../access/domain/permission.js';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import type { CloseMonth } from '../usecase/close-month.js';
import type { ClosedMonth, ListStatements, MonthStatement } from '../usecase/list-statements.js';
import type { MakeTransfer } from '../usecase/make-transfer.js';
import { kindName } from './accounts-json.js';

/** The use cases of payouts, refunds and closed months. */
export interface PayoutRoutesDeps {
  readonly makeTransfer: MakeTransfer;
  readonly closeMonth: CloseMonth;
  readonly listStatements: ListStatements;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

type PayoutOperation = 'payPublisher' | 'refundAdvertiser' | 'closeMonth' | 'listStatements';

const ROWS_MAX = 1_000;

/** Payouts, refunds and closed months. */
export function payoutRoutes(deps: PayoutRoutesDeps): RoutesOf<PayoutOperation> {
  const { currency } = deps;
  return {
    payPublisher: async ({ actor, path, body }) => {
      const order = { kind: 'payout', account: path.id, ...body, actor: actorText(actor) } as const;
      const { isNew } = await deps.makeTransfer(order);
      return { body: { is_new: isNew, currency } };
    },
    refundAdvertiser: async ({ actor, path, body }) => {
      const order = { kind: 'refund', account: path.id, ...body, actor: actorText(actor) } as const;
      const { isNew } = await deps.makeTransfer(order);
      return { body: { is_new: isNew, currency } };
    },
    closeMonth: async ({ actor, path, body }) => {
      const { isNew, month } = await deps.closeMonth({
        month: path.month,
        minimumPayout: body.minimum_payout ?? null,
        actor: actorText(actor),
      });
      return { body: { is_new: isNew, month: toMonth(path.month, month, currency) } };
    },
    listStatements: async ({ path, query }) => {
      const rowsMax = query.limit ?? ROWS_MAX;
      const { month, statements } = await deps.listStatements({
        month: path.month,
        afterNumber: BigInt(query.cursor ?? '0'),
        rowsMax,
        isDueOnly: query.due === true,
      });
      const last = statements.length === rowsMax ? statements.at(-1) : undefined;
      return {
        body: {
          month: toMonth(path.month, month, currency),
          rows: statements.map(toStatementRow),
          next_cursor: last === undefined ? null : String(last.number),
        },
      };
    },
  };
}

function toMonth(month: string, closed: ClosedMonth, currency: string): Schemas['ClosedMonth'] {
  const hasStatements = closed.lastNumber > 0n;
  return {
    month,
    closed_at: toIso(Number(closed.closedAtMs)),
    minimum_payout: formatNanos(closed.minimumPayoutNanos),
    first_number: hasStatements ? Number(closed.firstNumber) : null,
    last_number: hasStatements ? Number(closed.lastNumber) : null,
    currency,
  };
}

function toStatementRow(statement: MonthStatement): Schemas['MonthStatement'] {
  return {
    number: Number(statement.number),
    account: { kind: kindName(statement.kind), id: statement.accountId },
    opening_balance: statement.opening,
    impressions: statement.impressions,
    deposits: statement.deposits,
    adjustments: statement.adjustments,
    payouts: statement.payouts,
    refunds: statement.refunds,
    closing_balance: statement.closing,
    due: statement.due === '' ? null : statement.due,
    open: statement.open === '' ? null : statement.open,
  };
}
