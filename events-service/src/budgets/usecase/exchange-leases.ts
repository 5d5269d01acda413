import { appError } from '@placard/service-kit';
import { DAY_MS, MINUTE_MS, type Clock } from '@placard/service-kit/pure';
import type { LeaseReport, LeaseWant, WantPace } from '../domain/lease.js';
import type { LeaseAnswers, LeaseExchange, LeaseStore } from '../store/leases.js';

export type { LeaseAnswer } from '../store/leases.js';

/** Bounds of one exchange. */
export const REPORTS_MAX = 10_000;
export const WANTS_MAX = 2_000;
export const PEEKS_MAX = 4_000;
const RUN_CHARS_MAX = 64;
/** Longest AD_TTL_SECONDS. */
const AD_TTL_MS_MAX = DAY_MS;

/**
 * Applies a replica's reports of its leases and judges its wants. Errors: `invalid_argument`, `unavailable` (safe to send
 * again: every amount is a sum over the lease's life).
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
  if (!reports.every(isReport)) return 'A report has an amount below zero, no campaign or no minute.';
  const all = [...wants, ...peeks];
  if (!all.every(isWant))
    return 'A want needs an advertiser, a campaign, a minute, a price above zero and ads that end within a day.';
  if (!all.every(({ pace }) => pace === null || isPace(pace)))
    return 'The plan of a want needs finite amounts, and rates from 0 to 1.';
  return null;
}

function isReport({ campaignId, minute, filledNanos, returnedNanos }: LeaseReport): boolean {
  return campaignId !== '' && isMinute(minute) && filledNanos >= 0n && returnedNanos >= 0n;
}

function isWant(want: LeaseWant): boolean {
  const { advertiserId, campaignId, minute, costNanos, grantedMaxNanos, expiresAtMs } = want;
  if (advertiserId === '' || campaignId === '' || costNanos <= 0n || grantedMaxNanos < 0n) return false;
  // Otherwise a wrong clock or setting of a replica would hold the money for that long.
  return isMinute(minute) && expiresAtMs <= (minute + 1) * MINUTE_MS + AD_TTL_MS_MAX;
}

function isMinute(minute: number): boolean {
  return Number.isSafeInteger(minute) && minute >= 0;
}

function isPace({ planNanos, mostNanos, show, late }: WantPace): boolean {
  return Number.isFinite(planNanos) && Number.isFinite(mostNanos ?? 0) && isRate(show) && isRate(late);
}

function isRate(rate: number): boolean {
  return rate >= 0 && rate <= 1;
}
