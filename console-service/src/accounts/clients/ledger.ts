import {
  LedgerServiceService,
  type AccountBalance,
  type GetStatementResponse,
  type LedgerCheck,
  type VerifyLedgerRowsResponse,
  type WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { accountKindOnWire } from '@placard/service-kit/wire';
import type { Account, OwnerIds } from '../domain/account-name.js';
import type { Adjustment } from '../domain/adjustment-rules.js';
import type { AccountFunds, Deposit } from '../domain/deposit-rules.js';
import type { MonthDays } from '../domain/month.js';

export type { AccountBalance, LedgerCheck, WaitingEvents };
/** A statement: balances and amounts are decimal texts with nine decimals. */
export type LedgerStatement = GetStatementResponse;
/** A piece of the check from the rows. */
export type RowsPiece = VerifyLedgerRowsResponse;

/** The accounts and their sum. Amounts are nano-units within 64 bits, and also decimal texts of any size. */
export interface Balances {
  readonly accounts: readonly AccountBalance[];
  readonly sumNanos: bigint;
  readonly sum: string;
}

/** The result of a verification of the books. */
export interface Verification {
  readonly ok: boolean;
  readonly checks: readonly LedgerCheck[];
  /** The backlog when the wait ran out; null: it was empty, or there was no wait. */
  readonly waiting: WaitingEvents | null;
}

/** The books, which events-service owns. Every function may fail with `unavailable` or `deadline_exceeded`. */
export interface Ledger {
  /** Idempotent by reference. Error `conflict`: the reference is booked with another advertiser or amount. */
  recordDeposit(deposit: Deposit): Promise<void>;
  /** Idempotent by reference. Error `conflict`: the reference is booked with another account or amount. */
  recordAdjustment(adjustment: Adjustment): Promise<void>;
  /** Accounts with entries, and the named ones. */
  listBalances(ids: OwnerIds): Promise<Balances>;
  /** Error `failed_precondition`: too many lines, or the books do not add up. */
  statement(account: Account, days: MonthDays): Promise<LedgerStatement>;
  /** First waits until nothing is left to settle or to count, at most `waitMsMax` (0: no wait). */
  verify(request: {
    readonly waitMsMax: number;
    readonly funds: readonly AccountFunds[];
    /** When an answer is too late, epoch ms. */
    readonly deadlineAtMs: number;
  }): Promise<Verification>;
  /** `after` is the `next` of the piece before; empty: the first piece. */
  verifyRows(after: string): Promise<RowsPiece>;
}

const RECORD_BUDGET_MS = 2_000;
const LIST_BUDGET_MS = 10_000;
const STATEMENT_BUDGET_MS = 60_000;
const ROWS_BUDGET_MS = 200_000;

/** Opens the client of events-service's LedgerService. */
export function openLedger(scope: Scope, address: string): Ledger {
  const client = openGrpcClient(scope, LedgerServiceService, {
    address,
    name: 'events-service',
    budgetMs: ROWS_BUDGET_MS,
  });
  const within = (budgetMs: number) => ({ deadlineAt: scope.clock.now() + budgetMs });
  return {
    async recordDeposit(deposit) {
      await client.recordDeposit(deposit, within(RECORD_BUDGET_MS));
    },
    async recordAdjustment({ account, amountNanos, reference, reason }) {
      const kind = accountKindOnWire.toWire(account.kind);
      const request = { kind, accountId: account.id, amountNanos, reference, reason };
      await client.recordAdjustment(request, within(RECORD_BUDGET_MS));
    },
    listBalances: ({ advertiserIds, publisherIds }) =>
      client.listBalances(
        { advertiserIds: [...advertiserIds], publisherIds: [...publisherIds] },
        within(LIST_BUDGET_MS),
      ),
    statement: ({ kind, id }, { fromDay, toDay }) =>
      client.getStatement(
        {
          kind: accountKindOnWire.toWire(kind),
          accountId: id,
          fromDay: BigInt(fromDay),
          toDay: BigInt(toDay),
        },
        within(STATEMENT_BUDGET_MS),
      ),
    async verify({ waitMsMax, funds, deadlineAtMs }) {
      const { ok, checks, waiting } = await client.verifyLedger(
        { wait: waitMsMax > 0, waitMsMax, ...toWireFunds(funds) },
        { deadlineAt: deadlineAtMs },
      );
      return { ok, checks, waiting: waiting ?? null };
    },
    verifyRows: (after) => client.verifyLedgerRows({ after }, within(ROWS_BUDGET_MS)),
  };
}

function toWireFunds(funds: readonly AccountFunds[]) {
  const of = (kind: AccountFunds['kind']) => funds.filter((fund) => fund.kind === kind);
  return {
    funds: of('advertiser').map(({ id, nanos }) => ({ advertiserId: id, fundedNanos: nanos })),
    publishers: of('publisher').map(({ id, nanos }) => ({ publisherId: id, adjustedNanos: nanos })),
  };
}
