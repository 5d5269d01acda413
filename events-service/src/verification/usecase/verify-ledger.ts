import type { Clock } from '@placard/service-kit/pure';
import type { AccountFunds, LedgerCheck } from '../domain/verification.js';
import type { Outbox, SettlementStore } from '../../settlement/store/settlement.js';
import type { VerificationStore } from '../store/verification.js';

/**
 * Longest wait for what is still to be settled or counted, milliseconds.
 * Contract: docs/contract/operator-interface.md#ledger-verify.
 */
export const VERIFY_WAIT_MS_MAX = 60_000;
/** Counters of every process are flushed each second: after this long, all that happened before has been counted. */
const COUNTED_AFTER_MS = 2_500;
const POLL_MS = 200;
/** Kept back of the caller's time for the checks themselves. */
const CHECKS_MS = 2_000;

/** What to verify. */
export interface VerifyRequest {
  /** First wait this long at most, milliseconds, until nothing is left to settle or to count; 0: do not wait. */
  readonly waitMsMax: number;
  /** What console-service has booked. */
  readonly funds: readonly AccountFunds[];
  /** Epoch ms: when the caller gives up. */
  readonly deadlineAtMs: number;
}

/** What verifying found. */
export interface VerifiedLedger {
  readonly checks: readonly LedgerCheck[];
  /** What was left when the wait ran out; null: nothing was left, or nobody waited. */
  readonly waiting: Outbox | null;
}

/**
 * Proves the identities of the books from the sums that are kept per day. Error `unavailable`.
 * Design: docs/architecture.md#money.
 */
export type VerifyLedger = (request: VerifyRequest) => Promise<VerifiedLedger>;

/** What verifying needs. */
export interface VerifyLedgerDeps {
  readonly books: Pick<VerificationStore, 'verify'>;
  readonly settlement: Pick<SettlementStore, 'outbox'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Flushes what this process itself has counted. */
  readonly flush: () => Promise<void>;
}

/** Makes {@link VerifyLedger}. */
export function makeVerifyLedger(deps: VerifyLedgerDeps): VerifyLedger {
  return async ({ waitMsMax, funds, deadlineAtMs }) => {
    const waiting =
      waitMsMax > 0
        ? await waitUntilQuiet(deps, Math.min(deps.clock.now() + waitMsMax, deadlineAtMs - CHECKS_MS))
        : null;
    return { checks: await deps.books.verify(funds), waiting };
  };
}

/** What was left at the end; null: nothing. */
async function waitUntilQuiet(
  { settlement, clock, sleep, flush }: VerifyLedgerDeps,
  lastAtMs: number,
): Promise<Outbox | null> {
  const countedAtMs = clock.now() + COUNTED_AFTER_MS;
  await flush();
  while (clock.now() < lastAtMs) {
    if (clock.now() >= countedAtMs && (await settlement.outbox()).waiting === 0) return null;
    await sleep(POLL_MS);
  }
  const left = await settlement.outbox();
  return left.waiting === 0 ? null : left;
}
