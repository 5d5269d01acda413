import { AccountKind, type StatementLine } from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import { dayToIso, formatNanos, parseAmount, toIso } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
import { accountKindOnWire } from '@placard/service-kit/wire';
import { textOrNull } from '../../domain/text-or-null.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { accountText } from '../domain/account-name.js';
import type { Balances } from '../usecase/get-balances.js';
import type { AccountStatement } from '../usecase/get-statement.js';
import type { RowsPiece } from '../usecase/verify-book-rows.js';
import type { Verification } from '../usecase/verify-books.js';

/** The balances in their documented order and shape. */
export function toBalances({ accounts, sumNanos, sum }: Balances, currency: string): Schemas['Balances'] {
  const sorted = [...accounts].sort((left, right) => left.kind - right.kind || (left.id < right.id ? -1 : 1));
  // Earlier releases of events-service send no decimal texts, only 64-bit amounts.
  return {
    accounts: sorted.map(({ kind, id, balanceNanos, balance }) => ({
      kind: kindName(kind),
      id: id === '' ? kindName(kind) : id,
      balance: balance === '' ? formatNanos(balanceNanos) : balance,
    })),
    sum: sum === '' ? formatNanos(sumNanos) : sum,
    currency,
  };
}

/** A statement in its documented shape, with the balance after each line. */
export function toStatement(
  { month, currency }: { readonly month: string; readonly currency: string },
  { account, statement }: AccountStatement,
): Schemas['Statement'] {
  let balance = nanosOf(statement.opening);
  const lines = statement.lines.map((line) => {
    balance += nanosOf(line.amount);
    return toLine(line, formatNanos(balance));
  });
  return {
    account: { kind: account.kind, id: account.id },
    month,
    number: statement.number === undefined ? null : Number(statement.number),
    currency,
    as_of: toIso(Number(statement.asOfMs)),
    opening_balance: statement.opening,
    lines,
    closing_balance: statement.closing,
  };
}

/** The result of a verification in its documented shape. */
export function toVerification({ ok, checks, waiting }: Verification): Schemas['Verification'] {
  return {
    ok,
    checks: checks.map(({ name, ok: holds, detail }) => ({ name, ok: holds, detail })),
    waiting:
      waiting === null
        ? null
        : {
            events: Number(waiting.events),
            oldest_at: isoOrNull(waiting.oldestAtMs),
          },
  };
}

/** A piece of the check from the rows in its documented shape. */
export function toVerifiedRows({ checks, day, daysLeft, next }: RowsPiece): Schemas['VerifiedRows'] {
  return {
    checks: checks.map(({ name, rows, faultCount, faults }) => ({
      name,
      rows: Number(rows),
      fault_count: Number(faultCount),
      faults,
    })),
    day: textOrNull(day),
    days_left: daysLeft,
    next: textOrNull(next),
  };
}

function toLine(line: StatementLine, balance: string): Schemas['StatementLine'] {
  const isSummed = line.kind === 'impression';
  return {
    day: dayToIso(Number(line.day)),
    kind: line.kind,
    reference: textOrNull(line.reference),
    counter_account: counterOf(line),
    reason: textOrNull(line.reason),
    campaign: textOrNull(line.campaignId),
    app: textOrNull(line.appId),
    impressions: isSummed ? Number(line.impressions) : null,
    amount: line.amount,
    balance,
  };
}

function counterOf({ counterKind, counterId }: StatementLine): string | null {
  if (counterKind === AccountKind.UNSPECIFIED) return null;
  return accountText({ kind: kindName(counterKind), id: counterId });
}

/** The name of a kind of accounts for operators. Contract: docs/contract/operator-interface.md#ledger-balances. */
export function kindName(kind: AccountKind): string {
  return accountKindOnWire.fromWire(kind) ?? 'unknown';
}

function nanosOf(amount: string): bigint {
  const nanos = parseAmount(amount);
  if (nanos === null) throw appError('server_error', 'events-service sent a statement that cannot be read.');
  return nanos;
}
