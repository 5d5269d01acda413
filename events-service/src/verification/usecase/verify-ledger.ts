import type { Clock } from '@placard/service-kit/pure';
import type { GivenMoney, LedgerCheck } from '../domain/verification.js';
import type { Outbox, SettlementStore } from '../../settlement/store/settlement.js';
import type { VerificationStore } from '../store/verification.js';

/**
 * Longest wait for events that are not settled or counted yet, milliseconds.
 * Contract: docs/contract/operator-interface.md#ledger-verify.
 */
export const VERIFY_WAIT_MS_MAX = 60_000;
/** Every process flushes its counters each second. After this long, everything that happened before is counted. */
const COUNTED_AFTER_MS = 2_500;
const POLL_MS = 200;
/** The part of the caller's time that is kept back for the checks. */
const CHECKS_MS = 2_000;

/** What to verify. */
export interface VerifyRequest {
  /** Longest wait for events that are not settled or counted yet, before the checks, milliseconds; 0: no wait. */
  readonly waitMsMax: number;
  /** What console-service has booked. */
  readonly given: GivenMoney;
  /** True: only that is compared. */
  readonly isGivenOnly: boolean;
  /** When the caller stops waiting, epoch ms. */
  readonly deadlineAtMs: number;
}

/** The result of a verification. */
export interface VerifiedLedger {
  readonly checks: readonly LedgerCheck[];
  /** The backlog when the wait ran out; null: it was empty, or there was no wait. */
  readonly waiting: Outbox | null;
}

/**
 * Checks the identities of the books by the day sums. Error `unavailable`.
 * Design: docs/architecture.md#money.
 */
export type VerifyLedger = (request: VerifyRequest) => Promise<VerifiedLedger>;

/** What {@link makeVerifyLedger} needs. */
export interface VerifyLedgerDeps {
  readonly books: Pick<VerificationStore, 'verify' | 'verifyGiven'>;
  readonly settlement: Pick<SettlementStore, 'outbox'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Flushes the counters of this process. */
  readonly flush: () => Promise<void>;
}

/** Makes {@link VerifyLedger}. */
export function makeVerifyLedger(deps: VerifyLedgerDeps): VerifyLedger {
  return async ({ waitMsMax, given, isGivenOnly, deadlineAtMs }) => {
    const waiting =
      waitMsMax > 0
        ? await waitUntilQuiet(deps, Math.min(deps.clock.now() + waitMsMax, deadlineAtMs - CHECKS_MS))
        : null;
    const checks = isGivenOnly ? await deps.books.verifyGiven(given) : await deps.books.verify(given);
    return { checks, waiting };
  };
}

/** Waits until nothing is left to settle or count. Returns the backlog at the end; null: it is empty. */
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
