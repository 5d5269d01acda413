import type { Nanos } from '@placard/service-kit/pure';

/** A limit and what was used of it, as the truth says. */
export interface LimitUse {
  readonly limit: 'balance' | 'total' | 'day';
  /** Of the advertiser for a balance, else of the campaign. */
  readonly id: string;
  /** UTC day since 1970 of a daily limit; null: of the whole life. */
  readonly day: number | null;
  readonly limitNanos: Nanos;
  readonly acceptedNanos: Nanos;
  /** Accepted and still open. */
  readonly usedNanos: Nanos;
}

/** What was accepted beyond a limit. */
export interface Overspend {
  readonly limit: LimitUse['limit'];
  readonly id: string;
  readonly day: number | null;
  readonly overNanos: Nanos;
}

/** What is remembered of a limit between two looks. */
export interface LimitMemory {
  readonly limitNanos: Nanos;
  /** What may be accepted without being overspent. */
  readonly allowedNanos: Nanos;
}

/**
 * What may be accepted: the limit, and where it was lowered what was used up to then, as far as that was allowed. The first
 * look at a limit (null) takes what is used for allowed, since the limit may have been lowered before.
 */
export function allowedFor(use: LimitUse, before: LimitMemory | null): LimitMemory {
  const { limitNanos, usedNanos } = use;
  if (before?.limitNanos === limitNanos) return before;
  const wasAllowed = before === null ? usedNanos : least(usedNanos, before.allowedNanos);
  return { limitNanos, allowedNanos: wasAllowed > limitNanos ? wasAllowed : limitNanos };
}

/** What was accepted beyond what is allowed; null: nothing. */
export function overspendOf(use: LimitUse, { allowedNanos }: LimitMemory): Overspend | null {
  const { limit, id, day, acceptedNanos } = use;
  return acceptedNanos > allowedNanos ? { limit, id, day, overNanos: acceptedNanos - allowedNanos } : null;
}

function least(a: Nanos, b: Nanos): Nanos {
  return a < b ? a : b;
}
