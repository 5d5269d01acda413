import {
  AccountKind,
  type AccountTransfers,
  type ClosedMonth as WireMonth,
  type GetStatementResponse,
  type ListBalancesResponse,
  type MonthStatement as WireMonthStatement,
  type StatementLine as WireLine,
  type VerifyLedgerRequest,
  type VerifyLedgerRowsResponse,
  type WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import { accountKindOnWire } from '@placard/service-kit/wire';
import {
  asAdvertiserId,
  asOwnerId,
  asPublisherId,
  DAY_MS,
  formatNanos,
  type Nanos,
} from '@placard/service-kit/pure';
import type { AccountSum, GivenMoney, RowsPiece } from '../../verification/domain/verification.js';
import type { VerifiedLedger } from '../../verification/usecase/verify-ledger.js';
import type { ClosedMonth, MonthStatement } from '../../months/domain/month.js';
import type { AccountKind as DomainKind } from '../domain/ledger-entry.js';
import type { Statement, StatementLine } from '../domain/statement.js';
import type { Balances } from '../usecase/list-balances.js';

/** A kind of account from the wire. Error `invalid_argument` for one that this release does not have. */
export function fromWireAccountKind(kind: AccountKind): DomainKind {
  const known = accountKindOnWire.fromWire(kind);
  if (known === null) throw appError('invalid_argument', 'The kind of account is missing or unknown.');
  return known;
}

/** A kind of account with an owner. Error `invalid_argument` for any other. */
export function fromWireOwner(kind: AccountKind): 'advertiser' | 'publisher' {
  const known = fromWireAccountKind(kind);
  if (known === 'advertiser' || known === 'publisher') return known;
  throw appError('invalid_argument', 'Only accounts of advertisers and publishers have an owner.');
}

/** Balances of accounts for the wire, with their sum. */
export function toWireBalances({ accounts, sumNanos }: Balances): ListBalancesResponse {
  return {
    accounts: accounts.map(({ kind, id, balanceNanos }) => ({
      kind: accountKindOnWire.toWire(kind),
      id,
      balanceNanos: within64Bits(balanceNanos),
      balance: formatNanos(balanceNanos),
    })),
    sumNanos: within64Bits(sumNanos),
    sum: formatNanos(sumNanos),
  };
}

const INT64_MAX = 2n ** 63n - 1n;

/** The nearest value that an int64 can hold. */
function within64Bits(nanos: Nanos): Nanos {
  if (nanos > INT64_MAX) return INT64_MAX;
  return nanos < -INT64_MAX ? -INT64_MAX : nanos;
}

/** The backlog when the wait ran out, for the wire. */
export function toWireWaiting({
  waiting,
  oldestAtMs,
}: NonNullable<VerifiedLedger['waiting']>): WaitingEvents {
  return { events: BigInt(waiting), oldestAtMs: oldestAtMs === null ? undefined : BigInt(oldestAtMs) };
}

/** What console-service has booked, from the wire. */
export function fromWireGiven({ funds, publishers, transfers }: VerifyLedgerRequest): GivenMoney {
  return {
    funds: [
      ...funds.map((fund) => ({
        kind: 'advertiser' as const,
        id: asAdvertiserId(fund.advertiserId),
        nanos: fund.fundedNanos,
      })),
      ...publishers.map((fund) => ({
        kind: 'publisher' as const,
        id: asPublisherId(fund.publisherId),
        nanos: fund.adjustedNanos,
      })),
    ],
    transfers: transfers === undefined ? null : transfers.accounts.map(fromWireTransfers),
  };
}

function fromWireTransfers({ kind, accountId, amountNanos }: AccountTransfers): AccountSum {
  return { kind: fromWireOwner(kind), id: asOwnerId(accountId), nanos: amountNanos };
}

/** A statement for the wire. */
export function toWireStatement(statement: Statement & { readonly asOfMs: number }): GetStatementResponse {
  return {
    asOfMs: BigInt(statement.asOfMs),
    opening: formatNanos(statement.openingNanos),
    lines: statement.lines.map(toWireLine),
    closing: formatNanos(statement.closingNanos),
    number: statement.number ?? undefined,
  };
}

/** A closed month for the wire. */
export function toWireMonth({ fromDay, closedAtMs, minimumPayoutNanos, numbers }: ClosedMonth): WireMonth {
  return {
    firstDay: BigInt(fromDay),
    closedAtMs: BigInt(closedAtMs),
    minimumPayoutNanos,
    firstNumber: numbers?.first ?? 0n,
    lastNumber: numbers?.last ?? 0n,
  };
}

/** The figures of a statement for the wire. */
export function toWireMonthStatement(statement: MonthStatement): WireMonthStatement {
  return {
    number: statement.number,
    kind: accountKindOnWire.toWire(statement.account.kind),
    accountId: statement.account.id,
    opening: formatNanos(statement.openingNanos),
    impressions: formatNanos(statement.impressionsNanos),
    deposits: formatNanos(statement.depositsNanos),
    adjustments: formatNanos(statement.adjustmentsNanos),
    payouts: formatNanos(statement.payoutsNanos),
    refunds: formatNanos(statement.refundsNanos),
    closing: formatNanos(statement.closingNanos),
    due: statement.dueNanos === null ? '' : formatNanos(statement.dueNanos),
    open: statement.openNanos === null ? '' : formatNanos(statement.openNanos),
  };
}

function toWireLine(line: StatementLine): WireLine {
  return {
    day: BigInt(Date.parse(`${line.day}T00:00:00Z`) / DAY_MS),
    kind: line.kind,
    reference: line.reference ?? '',
    counterKind:
      line.counter === null ? AccountKind.UNSPECIFIED : accountKindOnWire.toWire(line.counter.kind),
    counterId: line.counter?.id ?? '',
    reason: line.reason ?? '',
    campaignId: line.campaignId ?? '',
    appId: line.appId ?? '',
    impressions: line.impressions,
    amount: formatNanos(line.amountNanos),
  };
}

/** A piece of the check from the rows, for the wire. */
export function toWirePiece({ checks, next, day, daysLeft }: RowsPiece): VerifyLedgerRowsResponse {
  return {
    checks: checks.map(({ name, faultCount, faults, rows }) => ({
      name,
      faultCount,
      faults: [...faults],
      rows,
    })),
    next: next ?? '',
    day: day ?? '',
    daysLeft,
  };
}
