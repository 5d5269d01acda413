import { campaignUnit, OPEN_UNIT, pendingCountsUntil, placementUnit } from '../domain/caps.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { CapClaim, CapRefusal, CapStore } from '../store/cap-store.js';
import type { FilledRequest } from '../../ads/usecase/make-fill.js';

/** The reason for which a fill gets no slots: the fraud cap refuses the request, Redis is away, or a cap is full. */
export type Refusal = 'fraud' | 'down' | CapRefusal;

/** What claiming needs. */
export interface ClaimSlotsDeps {
  readonly caps: Pick<CapStore, 'claim' | 'settle'>;
  /** Live fills of a session that may be neither shown nor over; 0: any number. */
  readonly openFillsMax: number;
  /** Called when Redis could not be reached: the request goes on without it, or ends without an ad. */
  readonly onDegraded: (error: unknown) => void;
}

/** A request that claims slots while its verdict is on its way. */
export interface ClaimingRequest extends FilledRequest {
  /** Whether the fraud cap lets it pass. */
  readonly isPassed: Promise<boolean>;
}

/**
 * Claims the session's slots and waits for the fraud verdict, both at the same time. Null: the request has passed and holds the
 * slots; else it holds none. Rejects when there is no verdict.
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
    onDegraded(error);
    return 'down';
  }
}

/** Gives slots back; no answer waits for it. One that cannot be given back stops counting when the ad would be over. */
export function freeSlots(
  { caps }: ClaimSlotsDeps,
  { session, requestId, time }: FilledRequest,
  claims: readonly CapClaim[],
): void {
  if (claims.length === 0) return;
  const units = claims.map(({ unit }) => ({ unit, countsUntilMs: 0 }));
  caps.settle({ sessionId: session.sessionId, requestId }, units, time.filledAtMs).catch(() => undefined);
}

/** The slots that a live fill of the campaign takes: the placement's, one of the open fills', the campaign's. */
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

/** The slot that any fill of the placement takes, test ads included; none without a cap. */
export function placementClaims({ slot, session, time }: FilledRequest): CapClaim[] {
  const { code, frequencyCap } = slot.placement;
  if (frequencyCap === null) return [];
  const countsUntilMs = pendingCountsUntil(frequencyCap.period, time, session.expiresAtMs);
  return [{ unit: placementUnit(code), countMax: frequencyCap.count, countsUntilMs }];
}
