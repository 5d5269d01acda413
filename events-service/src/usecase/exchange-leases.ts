import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { LeaseReport, LeaseWant } from '../domain/lease.js';
import type { LeaseAnswers, LeaseExchange, LeaseStore } from '../store/leases.js';

export type { LeaseAnswer } from '../store/leases.js';

/** Bounds of one exchange. */
export const REPORTS_MAX = 10_000;
export const WANTS_MAX = 2_000;
export const PEEKS_MAX = 4_000;
const RUN_CHARS_MAX = 64;

/**
 * Takes a replica's reports of its leases and grants what it wants. Errors: `invalid_argument`, `unavailable` (send it again:
 * every amount is a sum over the lease's life).
 */
export type ExchangeLeases = (exchange: LeaseExchange) => Promise<LeaseAnswers>;

/** Makes {@link ExchangeLeases}. */
export function makeExchangeLeases(store: Pick<LeaseStore, 'exchange'>, clock: Clock): ExchangeLeases {
  return async (exchange) => {
    const fault = faultOf(exchange);
    if (fault !== null) throw appError('invalid_argument', fault);
    return store.exchange(exchange, clock.now());
  };
}

function faultOf({ run, reports, wants, peeks }: LeaseExchange): string | null {
  if (run === '' || run.length > RUN_CHARS_MAX) return 'A run has 1 to 64 characters.';
  if (reports.length > REPORTS_MAX) return `An exchange has at most ${REPORTS_MAX} reports.`;
  if (wants.length > WANTS_MAX) return `An exchange has at most ${WANTS_MAX} wants.`;
  if (peeks.length > PEEKS_MAX) return `An exchange has at most ${PEEKS_MAX} peeks.`;
  if (!reports.every(isReport)) return 'A report has an amount below zero or no campaign.';
  if (![...wants, ...peeks].every(isWant))
    return 'A want needs an advertiser, a campaign and a price above zero.';
  return null;
}

function isReport({ campaignId, minute, filledNanos, returnedNanos }: LeaseReport): boolean {
  return campaignId !== '' && minute >= 0 && filledNanos >= 0n && returnedNanos >= 0n;
}

function isWant({ advertiserId, campaignId, minute, costNanos, grantedMaxNanos }: LeaseWant): boolean {
  return advertiserId !== '' && campaignId !== '' && minute >= 0 && costNanos > 0n && grantedMaxNanos >= 0n;
}
