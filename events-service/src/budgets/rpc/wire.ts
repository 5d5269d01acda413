import {
  LeaseVerdict,
  type LeaseAnswer as WireAnswer,
  type LeasePace as WirePace,
  type LeaseReport as WireReport,
  type LeaseWant as WireWant,
  type PaceAnchor as WireAnchor,
} from '@placard/protos/events/v1/events.js';
import { asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import type {
  LeaseReport,
  LeaseVerdict as Verdict,
  LeaseWant,
  PaceAnchor,
  WantPace,
} from '../domain/lease.js';
import type { LeaseAnswer } from '../usecase/exchange-leases.js';

const VERDICTS: Readonly<Record<Verdict, LeaseVerdict>> = {
  granted: LeaseVerdict.GRANTED,
  total: LeaseVerdict.TOTAL,
  day: LeaseVerdict.DAY,
  balance: LeaseVerdict.BALANCE,
  pace: LeaseVerdict.PACE,
  anchor: LeaseVerdict.ANCHOR,
  ended: LeaseVerdict.ENDED,
};

/** A report of a lease from the wire. */
export function fromWireLeaseReport({
  campaignId,
  minute,
  filledNanos,
  returnedNanos,
  ended,
}: WireReport): LeaseReport {
  return {
    campaignId: asCampaignId(campaignId),
    minute: Number(minute),
    filledNanos,
    returnedNanos,
    isEnded: ended,
  };
}

/** A want or a peek from the wire. */
export function fromWireWant(want: WireWant): LeaseWant {
  return {
    advertiserId: asAdvertiserId(want.advertiserId),
    campaignId: asCampaignId(want.campaignId),
    minute: Number(want.minute),
    costNanos: want.costNanos,
    grantedMaxNanos: want.grantedMaxNanos,
    totalLimitNanos: want.totalLimitNanos ?? null,
    dailyLimitNanos: want.dailyLimitNanos ?? null,
    fundedNanos: want.fundedNanos,
    expiresAtMs: Number(want.expiresAtMs),
    pace: want.pace === undefined ? null : fromWirePace(want.pace),
  };
}

function fromWirePace(pace: WirePace): WantPace {
  return {
    anchor: pace.anchor === undefined ? null : fromWireAnchor(pace.anchor),
    anchorSinceMs: pace.anchorSinceMs === undefined ? null : Number(pace.anchorSinceMs),
    budgetNanos: pace.budgetNanos,
    planNanos: pace.planNanos,
    mostNanos: pace.mostNanos ?? null,
    show: pace.show,
    late: pace.late,
  };
}

function fromWireAnchor({ atMs, spentNanos, budgetNanos }: WireAnchor): PaceAnchor {
  return { atMs: Number(atMs), spentNanos, budgetNanos };
}

/** The answer to a want or a peek for the wire. */
export function toWireAnswer(answer: LeaseAnswer): WireAnswer {
  return {
    verdict: VERDICTS[answer.verdict],
    grantedNanos: answer.grantedNanos,
    isScarce: answer.isScarce,
    anchor:
      answer.anchor === null ? undefined : { ...answer.anchor, atMs: BigInt(Math.round(answer.anchor.atMs)) },
    closedFills: answer.closedFills ?? undefined,
    totalLeftNanos: answer.totalLeftNanos ?? undefined,
    dailyLeftNanos: answer.dailyLeftNanos ?? undefined,
  };
}
