import {
  LedgerServiceService,
  type AccountBalance,
  type ClosedMonth,
  type GetStatementResponse,
  type LedgerCheck,
  type MonthStatement,
  type VerifyLedgerRowsResponse,
  type WaitingEvents,
} from '@placard/protos/events/v1/events.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { parseAmount } from '@placard/service-kit/pure';
import { accountKindOnWire } from '@placard/service-kit/wire';
import type { Account, OwnedAccount, OwnerIds } from '../domain/account-name.js';
import type { Adjustment } from '../domain/adjustment-rules.js';
import type { AccountFunds, Deposit } from '../domain/deposit-rules.js';
import type { MonthDays } from '../domain/month.js';
import type { Transfer } from '../domain/transfer-rules.js';

export type { AccountBalance, ClosedMonth, LedgerCheck, MonthStatement, WaitingEvents };
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

/** The money that operators gave, booked or not. */
export interface GivenMoney {
  /** Deposits and adjustments in sum, by account. */
  readonly funds: readonly AccountFunds[];
  /** Payouts or refunds in sum, by account. */
  readonly transfers: readonly AccountFunds[];
}

/** Which statements of a closed month are listed. */
export interface StatementsWanted {
  readonly days: MonthDays;
  /** Only statements with a higher number. */
  readonly afterNumber: bigint;
  /** 1 to 1,000. */
  readonly rowsMax: number;
  /** True: only publishers that are to be paid. */
  readonly isDueOnly: boolean;
}

/** The books, which events-service owns. Every function may fail with `unavailable` or `deadline_exceeded`. */
export interface Ledger {
  /** Idempotent by reference. Error `conflict`: the reference is booked with another advertiser or amount. */
  recordDeposit(deposit: Deposit): Promise<void>;
  /** Idempotent by reference. Error `conflict`: the reference is booked with another account or amount. */
  recordAdjustment(adjustment: Adjustment): Promise<void>;
  /**
   * Idempotent by kind and reference. Errors `conflict`: the reference is booked with another account or amount;
   * `failed_precondition`: the account has less, or leases hold a part of it.
   */
  recordTransfer(transfer: Transfer): Promise<void>;
  /**
   * Closes a month once; `minimumPayoutNanos` null: any amount, or that of the first close. Errors `failed_precondition`: it
   * cannot be closed now; `conflict`: it is closed with another minimum.
   */
  closeMonth(
    days: MonthDays,
    minimumPayoutNanos: bigint | null,
  ): Promise<{ readonly isNew: boolean; readonly month: ClosedMonth }>;
  /** In the order of their numbers. Error `not_found`: the month is open. */
  listStatements(
    wanted: StatementsWanted,
  ): Promise<{ readonly month: ClosedMonth; readonly statements: readonly MonthStatement[] }>;
  /** Accounts with entries, and the named ones. */
  listBalances(ids: OwnerIds): Promise<Balances>;
  /** The balance of one account in nano-units; 0 without entries. */
  balanceOf(account: OwnedAccount): Promise<bigint>;
  /** Error `failed_precondition`: too many lines, or the books do not add up. */
  statement(account: Account, days: MonthDays): Promise<LedgerStatement>;
  /** First waits until nothing is left to settle or to count, at most `waitMsMax` (0: no wait). */
  verify(request: {
    readonly waitMsMax: number;
    readonly given: GivenMoney;
    /** True: only the given money is compared. */
    readonly isGivenOnly: boolean;
    /** When an answer is too late, epoch ms. */
    readonly deadlineAtMs: number;
  }): Promise<Verification>;
  /** `after` is the `next` of the piece before; empty: the first piece. */
  verifyRows(after: string): Promise<RowsPiece>;
}

const RECORD_BUDGET_MS = 2_000;
const LIST_BUDGET_MS = 10_000;
const STATEMENT_BUDGET_MS = 60_000;
const CLOSE_BUDGET_MS = 60_000;
const ROWS_BUDGET_MS = 200_000;

/** Where events-service serves its LedgerService: the methods that read, and those that write. */
export interface LedgerAddresses {
  readonly address: string;
  readonly writeAddress: string;
  /** The setting `LEDGER_WRITE_KEY`. Undefined: events-service wants none. */
  readonly writeKey: string | undefined;
}

/** Opens the client of events-service's LedgerService. */
export function openLedger(scope: Scope, { address, writeAddress, writeKey }: LedgerAddresses): Ledger {
  const open = (at: string, key?: string) =>
    openGrpcClient(scope, LedgerServiceService, {
      address: at,
      name: 'events-service',
      key,
      budgetMs: ROWS_BUDGET_MS,
    });
  const client = open(address);
  const writer = open(writeAddress, writeKey);
  const within = (budgetMs: number) => ({ deadlineAt: scope.clock.now() + budgetMs });
  return {
    async recordDeposit(deposit) {
      await writer.recordDeposit(deposit, within(RECORD_BUDGET_MS));
    },
    async recordAdjustment({ account, amountNanos, reference, reason }) {
      const kind = accountKindOnWire.toWire(account.kind);
      const request = { kind, accountId: account.id, amountNanos, reference, reason };
      await writer.recordAdjustment(request, within(RECORD_BUDGET_MS));
    },
    async recordTransfer({ account, amountNanos, reference }) {
      const kind = accountKindOnWire.toWire(account.kind);
      const request = { kind, accountId: account.id, amountNanos, reference };
      await writer.recordTransfer(request, within(RECORD_BUDGET_MS));
    },
    async closeMonth({ fromDay }, minimumPayoutNanos) {
      const request = {
        firstDay: BigInt(fromDay),
        minimumPayoutNanos: minimumPayoutNanos ?? undefined,
      };
      const { isNew, month } = await writer.closeMonth(request, within(CLOSE_BUDGET_MS));
      return { isNew, month: requireMonth(month) };
    },
    async listStatements({ days, afterNumber, rowsMax, isDueOnly }) {
      const request = { firstDay: BigInt(days.fromDay), afterNumber, rowsMax, dueOnly: isDueOnly };
      const { month, statements } = await client.listStatements(request, within(LIST_BUDGET_MS));
      return { month: requireMonth(month), statements };
    },
    listBalances: ({ advertiserIds, publisherIds }) =>
      client.listBalances(
        { advertiserIds: [...advertiserIds], publisherIds: [...publisherIds] },
        within(LIST_BUDGET_MS),
      ),
    async balanceOf(account) {
      const { accounts } = await client.listBalances(idsOf(account), within(LIST_BUDGET_MS));
      return findBalance(accounts, account);
    },
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
    async verify({ waitMsMax, given, isGivenOnly, deadlineAtMs }) {
      const { ok, checks, waiting } = await client.verifyLedger(
        { wait: waitMsMax > 0, waitMsMax, fundsOnly: isGivenOnly, ...toWireGiven(given) },
        { deadlineAt: deadlineAtMs },
      );
      return { ok, checks, waiting: waiting ?? null };
    },
    verifyRows: (after) => client.verifyLedgerRows({ after }, within(ROWS_BUDGET_MS)),
  };
}

function idsOf({ kind, id }: OwnedAccount) {
  return {
    advertiserIds: kind === 'advertiser' ? [id] : [],
    publisherIds: kind === 'publisher' ? [id] : [],
  };
}

function findBalance(accounts: readonly AccountBalance[], { kind, id }: OwnedAccount): bigint {
  const wanted = accountKindOnWire.toWire(kind);
  const found = accounts.find((account) => account.kind === wanted && account.id === id);
  return found === undefined ? 0n : (parseAmount(found.balance) ?? found.balanceNanos);
}

function toWireGiven({ funds, transfers }: GivenMoney) {
  const of = (kind: AccountFunds['kind']) => funds.filter((fund) => fund.kind === kind);
  return {
    funds: of('advertiser').map(({ id, nanos }) => ({ advertiserId: id, fundedNanos: nanos })),
    publishers: of('publisher').map(({ id, nanos }) => ({ publisherId: id, adjustedNanos: nanos })),
    transfers: {
      accounts: transfers.map(({ kind, id, nanos }) => ({
        kind: accountKindOnWire.toWire(kind),
        accountId: id,
        amountNanos: nanos,
      })),
    },
  };
}

function requireMonth(month: ClosedMonth | undefined): ClosedMonth {
  if (month === undefined) throw new Error('events-service answered without the month');
  return month;
}
