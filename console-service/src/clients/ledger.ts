import {
  LedgerServiceService,
  type AccountBalance,
  type LedgerCheck,
} from '@placard/protos/events/v1/events.js';
import { openGrpcClient, type Scope } from '@placard/service-kit';
import type { Deposit } from '../domain/deposit-rules.js';
import type { AdvertiserFunds } from '../domain/deposit-rules.js';

export type { AccountBalance, LedgerCheck };

/** The accounts and what they sum to, in nano-units. */
export interface Balances {
  readonly accounts: readonly AccountBalance[];
  readonly sumNanos: bigint;
}

/** What a verification of the books found. */
export interface Verification {
  readonly ok: boolean;
  readonly checks: readonly LedgerCheck[];
}

/** The books, which events-service owns. Every function may fail with `unavailable` or `deadline_exceeded`. */
export interface Ledger {
  /** Idempotent by reference. Error `conflict`: the reference is booked with another advertiser or amount. */
  recordDeposit(deposit: Deposit): Promise<void>;
  /** The accounts that have entries, and those named here. */
  listBalances(ids: {
    readonly advertiserIds: readonly string[];
    readonly publisherIds: readonly string[];
  }): Promise<Balances>;
  /** With `isWaiting` it first waits, at most a minute, until nothing is left to settle or to count. */
  verify(request: {
    readonly isWaiting: boolean;
    readonly funds: readonly AdvertiserFunds[];
  }): Promise<Verification>;
}

const RECORD_BUDGET_MS = 2_000;
const LIST_BUDGET_MS = 10_000;
const VERIFY_BUDGET_MS = 100_000;

/** Opens the client of events-service's LedgerService. */
export function openLedger(scope: Scope, address: string): Ledger {
  const client = openGrpcClient(scope, LedgerServiceService, {
    address,
    name: 'events-service',
    budgetMs: VERIFY_BUDGET_MS,
  });
  const within = (budgetMs: number) => ({ deadlineAt: scope.clock.now() + budgetMs });
  return {
    async recordDeposit(deposit) {
      await client.recordDeposit(deposit, within(RECORD_BUDGET_MS));
    },
    listBalances: ({ advertiserIds, publisherIds }) =>
      client.listBalances(
        { advertiserIds: [...advertiserIds], publisherIds: [...publisherIds] },
        within(LIST_BUDGET_MS),
      ),
    verify: ({ isWaiting, funds }) =>
      client.verifyLedger({ wait: isWaiting, funds: [...funds] }, within(VERIFY_BUDGET_MS)),
  };
}
