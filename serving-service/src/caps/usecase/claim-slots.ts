import type { RequestId } from '@placard/service-kit/pure';
import { campaignUnit, OPEN_UNIT, pendingCountsUntil, placementUnit } from '../domain/caps.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { CapClaim, CapRefusal, CapStore } from '../store/cap-store.js';
import type { FilledRequest } from '../../ads/usecase/make-fill.js';

/** The reason why a fill gets no slots: the fraud cap refuses the request, Redis is down, or a cap is full. */
export type Refusal = 'fraud' | 'down' | CapRefusal;

/** Dependencies of a claim. */
export interface ClaimSlotsDeps {
  readonly caps: Pick<CapStore, 'claim' | 'settle'>;
  /** Most live fills of a session that are neither shown nor expired. 0: no limit. */
  readonly openFillsMax: number;
  /** Called when Redis could not be reached. The request then goes on without Redis, or ends without an ad. */
  readonly onDegraded: (error: unknown, requestId: RequestId) => void;
}

/** A request that claims slots while its fraud verdict is pending. */
export interface ClaimingRequest extends FilledRequest {
  /** Whether the fraud cap accepts the request. */
  readonly isPassed: Promise<boolean>;
}

/**
 * Claims the slots of the session and waits for the fraud verdict at the same time. Null: the request is accepted and
 * holds the slots. Otherwise it holds none. Rejects when there is no verdict.
 */
export async function claimSlots(
  deps: ClaimSlotsDeps,
  request: ClaimingRequest,
  claims: readonly CapClaim[],
): Promise<Refusal | null> {
  const claiming = claims.length === 0 ? null : claim(deps, request, claims);
  try {
    const isPassed = await request.isPassed;
    const refusal = await claiming;
    if (isPassed) return refusal;
    if (refusal === null) freeSlots(deps, request, claims);
    return 'fraud';
  } catch (error) {
    if ((await claiming) === null) freeSlots(deps, request, claims);
    throw error;
  }
}

/** Never rejects. */
async function claim(
  { caps, onDegraded }: ClaimSlotsDeps,
  { session, requestId, time }: FilledRequest,
  claims: readonly CapClaim[],
): Promise<CapRefusal | 'down' | null> {
  try {
    return await caps.claim({ sessionId: session.sessionId, requestId }, claims, time.filledAtMs);
  } catch (error) {
    onDegraded(error, requestId);
    return 'down';
  }
}

/** Gives slots back in the background. If that fails, a slot stops counting when the ad expires. */
export function freeSlots(
  { caps }: ClaimSlotsDeps,
  { session, requestId, time }: FilledRequest,
  claims: readonly CapClaim[],
): void {
  if (claims.length === 0) return;
  const units = claims.map(({ unit }) => ({ unit, countsUntilMs: 0 }));
  caps.settle({ sessionId: session.sessionId, requestId }, units, time.filledAtMs).catch(() => undefined);
}

/** The slots of a live fill of the campaign: the placement's, an open fill's, and the campaign's. */
export function liveClaims(
  { openFillsMax }: Pick<ClaimSlotsDeps, 'openFillsMax'>,
  request: FilledRequest,
  { campaign }: IndexedCampaign,
): CapClaim[] {
  const { session, time } = request;
  const claims = placementClaims(request);
  if (openFillsMax > 0) {
    claims.push({ unit: OPEN_UNIT, countMax: openFillsMax, countsUntilMs: time.expiresAtMs });
  }
  if (campaign.frequencyCap !== null) {
    const countsUntilMs = pendingCountsUntil(campaign.frequencyCap.period, time, session.expiresAtMs);
    claims.push({ unit: campaignUnit(campaign.id), countMax: campaign.frequencyCap.count, countsUntilMs });
  }
  return claims;
}

/** The slot of any fill of the placement, test ads included. None without a cap. */
export function placementClaims({ slot, session, time }: FilledRequest): CapClaim[] {
  const { code, frequencyCap } = slot.placement;
  if (frequencyCap === null) return [];
  const countsUntilMs = pendingCountsUntil(frequencyCap.period, time, session.expiresAtMs);
  return [{ unit: placementUnit(code), countMax: frequencyCap.count, countsUntilMs }];
}
