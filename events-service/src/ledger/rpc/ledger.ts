import {
  LedgerServiceService,
  type GetStatementResponse,
  type StatementLine as WireLine,
  type VerifyLedgerRequest,
  type VerifyLedgerRowsResponse,
  type WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit';
import { DAY_MS, formatNanos, type Nanos } from '@placard/service-kit/pure';
import type { Statement, StatementLine } from '../domain/statement.js';
import type { AccountFunds, RowsPiece } from '../../verification/domain/verification.js';
import type { GetStatement } from '../usecase/get-statement.js';
import type { ListBalances } from '../usecase/list-balances.js';
import type { RecordAdjustment } from '../usecase/record-adjustment.js';
import type { RecordDeposit } from '../usecase/record-deposit.js';
import {
  VERIFY_WAIT_MS_MAX,
  type VerifiedLedger,
  type VerifyLedger,
} from '../../verification/usecase/verify-ledger.js';
import type { VerifyRows } from '../../verification/usecase/verify-rows.js';
import {
  UNSPECIFIED_ACCOUNT_KIND,
  WIRE_ACCOUNT_KINDS,
  fromWireAccountKind,
  fromWireOwner,
} from '../../rpc/words.js';

/** What LedgerService does. */
export interface LedgerUseCases {
  readonly recordDeposit: RecordDeposit;
  readonly recordAdjustment: RecordAdjustment;
  readonly listBalances: ListBalances;
  readonly getStatement: GetStatement;
  readonly verifyLedger: VerifyLedger;
  readonly verifyRows: VerifyRows;
}

/** LedgerService on the wire. Contract: docs/contract/money.md#ledger. */
export function implementLedgerService(useCases: LedgerUseCases): ImplementedService {
  return implementService(LedgerServiceService, {
    async recordDeposit({ advertiserId, amountNanos, reference }) {
      return { isNew: await useCases.recordDeposit({ advertiserId, amountNanos, reference }) };
    },
    async recordAdjustment({ kind, accountId, amountNanos, reference, reason }) {
      const accountKind = fromWireOwner(kind);
      return {
        isNew: await useCases.recordAdjustment({ accountKind, accountId, amountNanos, reference, reason }),
      };
    },
    async listBalances({ advertiserIds, publisherIds }) {
      const { accounts, sumNanos } = await useCases.listBalances({ advertiserIds, publisherIds });
      return {
        accounts: accounts.map(({ kind, id, balanceNanos }) => ({
          kind: WIRE_ACCOUNT_KINDS[kind],
          id,
          balanceNanos: within64Bits(balanceNanos),
          balance: formatNanos(balanceNanos),
        })),
        sumNanos: within64Bits(sumNanos),
        sum: formatNanos(sumNanos),
      };
    },
    async getStatement({ kind, accountId, fromDay, toDay }) {
      const account = { kind: fromWireAccountKind(kind), id: accountId };
      const range = { fromDay: Number(fromDay), toDay: Number(toDay) };
      return toWireStatement(await useCases.getStatement(account, range));
    },
    async verifyLedger(request, call) {
      const waitMsMax = Math.min(request.waitMsMax ?? VERIFY_WAIT_MS_MAX, VERIFY_WAIT_MS_MAX);
      const { checks, waiting } = await useCases.verifyLedger({
        waitMsMax: request.wait ? waitMsMax : 0,
        funds: fundsOf(request),
        deadlineAtMs: call.deadlineAt,
      });
      return {
        ok: checks.every((check) => check.ok),
        checks: [...checks],
        ...(waiting !== null && { waiting: toWireWaiting(waiting) }),
      };
    },
    async verifyLedgerRows({ after }) {
      return toWirePiece(await useCases.verifyRows(after === '' ? null : after));
    },
  });
}

const INT64_MAX = 2n ** 63n - 1n;

/** The nearest that an int64 can hold. */
function within64Bits(nanos: Nanos): Nanos {
  if (nanos > INT64_MAX) return INT64_MAX;
  return nanos < -INT64_MAX ? -INT64_MAX : nanos;
}

function toWireWaiting({ waiting, oldestAtMs }: NonNullable<VerifiedLedger['waiting']>): WaitingEvents {
  return { events: BigInt(waiting), ...(oldestAtMs !== null && { oldestAtMs: BigInt(oldestAtMs) }) };
}

function fundsOf({ funds, publishers }: VerifyLedgerRequest): readonly AccountFunds[] {
  return [
    ...funds.map((fund) => ({
      kind: 'advertiser' as const,
      id: fund.advertiserId,
      nanos: fund.fundedNanos,
    })),
    ...publishers.map((fund) => ({
      kind: 'publisher' as const,
      id: fund.publisherId,
      nanos: fund.adjustedNanos,
    })),
  ];
}

function toWireStatement(statement: Statement & { readonly asOfMs: number }): GetStatementResponse {
  return {
    asOfMs: BigInt(statement.asOfMs),
    opening: formatNanos(statement.openingNanos),
    lines: statement.lines.map(toWireLine),
    closing: formatNanos(statement.closingNanos),
  };
}

function toWireLine(line: StatementLine): WireLine {
  return {
    day: BigInt(Date.parse(`${line.day}T00:00:00Z`) / DAY_MS),
    kind: line.kind,
    reference: line.reference ?? '',
    counterKind: line.counter === null ? UNSPECIFIED_ACCOUNT_KIND : WIRE_ACCOUNT_KINDS[line.counter.kind],
    counterId: line.counter?.id ?? '',
    reason: line.reason ?? '',
    campaignId: line.campaignId ?? '',
    appId: line.appId ?? '',
    impressions: line.impressions,
    amount: formatNanos(line.amountNanos),
  };
}

function toWirePiece({ checks, next, day, daysLeft }: RowsPiece): VerifyLedgerRowsResponse {
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
