import {
  LeaseVerdict as WireVerdict,
  type ExchangeLeasesRequest,
  type ExchangeLeasesResponse,
  type LeaseAnswer as WireAnswer,
  type LeasePace as WirePace,
  type LeaseWant as WireWant,
  type PaceAnchor as WireAnchor,
} from '@placard/protos/events/v1/events.js';
import type { LeaseAnswer, LeaseVerdict, LeaseWant, WantPace } from '../budgets/domain/lease-want.js';
import type { PaceAnchor } from '@placard/service-kit/pure';
import type { LeaseAnswers, LeaseRequest } from './spend-client.js';

/** Encodes an exchange for the wire. */
export function toExchange({ run, atMs, reports, wants, peeks }: LeaseRequest): ExchangeLeasesRequest {
  return {
    run,
    atMs: BigInt(atMs),
    reports: reports.map(({ campaignId, minute, filledNanos, returnedNanos, isEnded }) => ({
      campaignId,
      filledNanos,
      returnedNanos,
      minute: BigInt(minute),
      ended: isEnded,
    })),
    wants: wants.map(toWant),
    peeks: peeks.map(toWant),
  };
}

/** Decodes the answer of events-service. */
export function fromExchange({ wants, peeks }: ExchangeLeasesResponse): LeaseAnswers {
  return { wants: wants.map(fromAnswer), peeks: peeks.map(fromAnswer) };
}

function toWant(want: LeaseWant): WireWant {
  const { advertiserId, campaignId, costNanos, grantedMaxNanos, fundedNanos, pace } = want;
  return {
    advertiserId,
    campaignId,
    costNanos,
    grantedMaxNanos,
    fundedNanos,
    minute: BigInt(want.minute),
    totalLimitNanos: want.totalLimitNanos ?? undefined,
    dailyLimitNanos: want.dailyLimitNanos ?? undefined,
    expiresAtMs: BigInt(want.expiresAtMs),
    pace: pace === null ? undefined : toPace(pace),
  };
}

function toPace({ anchor, anchorSinceMs, budgetNanos, limits }: WantPace): WirePace {
  const { planNanos, mostNanos, show, late } = limits;
  return {
    anchor: anchor === null ? undefined : { ...anchor, atMs: BigInt(anchor.atMs) },
    anchorSinceMs: anchorSinceMs === null ? undefined : BigInt(anchorSinceMs),
    budgetNanos,
    planNanos,
    show,
    late,
    mostNanos: mostNanos ?? undefined,
  };
}

function fromAnswer({
  verdict,
  grantedNanos,
  isScarce,
  anchor,
  closedFills,
  ...answer
}: WireAnswer): LeaseAnswer {
  return {
    verdict: fromVerdict(verdict),
    grantedNanos,
    isScarce,
    anchor: anchor === undefined ? null : fromAnchor(anchor),
    closed: closedFills ?? null,
    left: { totalNanos: answer.totalLeftNanos ?? null, dailyNanos: answer.dailyLeftNanos ?? null },
  };
}

function fromAnchor({ atMs, spentNanos, budgetNanos }: WireAnchor): PaceAnchor {
  return { atMs: Number(atMs), spentNanos, budgetNanos };
}

/** An unknown verdict of a newer release counts as a refusal. */
function fromVerdict(verdict: WireVerdict): LeaseVerdict {
  switch (verdict) {
    case WireVerdict.GRANTED:
      return 'granted';
    case WireVerdict.TOTAL:
      return 'total';
    case WireVerdict.DAY:
      return 'day';
    case WireVerdict.BALANCE:
      return 'balance';
    case WireVerdict.PACE:
      return 'pace';
    case WireVerdict.ANCHOR:
      return 'anchor';
    default:
      return 'ended';
  }
}
