import { appError } from '@placard/service-kit';
import type { CallContext } from '@placard/service-kit/grpc';
import {
  makeRequestId,
  type CatalogReader,
  type Clock,
  type RequestId,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { FraudClient } from '../clients/fraud-client.js';
import type { AdRequest, NoFill, NoFillReason } from '../../domain/ad-request.js';
import type { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { NO_COUNTS } from '../../caps/domain/caps.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { findSlot, noFillAt, switchedOff, type RequestFault } from '../domain/checks.js';
import { toQuery } from '../../selection/domain/select.js';
import { testCreative } from '../domain/test-ad.js';
import { claimSlots, freeSlots, placementClaims } from '../../caps/usecase/claim-slots.js';
import { fillLive, type FillLiveDeps } from './fill-live.js';
import { makeFill, type Fill, type FilledRequest } from './make-fill.js';
import type { ServingReport } from './serving-report.js';

/** Dependencies of the use case. */
export interface RequestAdDeps extends FillLiveDeps {
  readonly clock: Clock;
  readonly catalog: CatalogReader;
  readonly index: CampaignIndex;
  readonly openSession: (token: string) => SessionClaims | null;
  readonly fraud: FraudClient;
  readonly report: ServingReport;
  readonly adTtlMs: number;
  /** Called with each answer. Reason null: a fill. */
  readonly onAnswer: (reason: NoFillReason | null, isTest: boolean) => void;
}

/** The answer to an ad request. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export interface AdAnswer {
  readonly requestId: RequestId;
  readonly result:
    { readonly kind: 'fill'; readonly fill: Fill } | { readonly kind: 'noFill'; readonly noFill: NoFill };
}

/** Answers one ad request. `sessionToken` is the text that the client sent. Rejects with the errors of the contract. */
export type RequestAd = (
  request: AdRequest,
  sessionToken: string,
  call: Pick<CallContext, 'deadlineAt'>,
) => Promise<AdAnswer>;

interface Ask extends FilledRequest {
  /** Epoch ms. Infinite: no deadline. */
  readonly deadlineAt: number;
}

const FAULT_TEXTS: Readonly<Record<RequestFault, string>> = {
  invalid_session: 'The session token is not valid for this app. Initialize again.',
  session_expired: 'The session has expired. Initialize again.',
  invalid_app_key: 'The app key is unknown.',
  package_mismatch: 'The package name is not the one that the app is registered with.',
  app_not_approved: 'The app is not approved yet.',
  placement_not_found: 'The app has no placement with this code.',
  format_mismatch: 'The placement has another format.',
};

/**
 * Makes the use case: the checks in the order of docs/contract/order-of-checks.md#adsrequest, then the test ad or the
 * selection.
 */
export function makeRequestAd(deps: RequestAdDeps): RequestAd {
  return async (request, sessionToken, { deadlineAt }) => {
    const nowMs = deps.clock.now();
    const session = deps.openSession(sessionToken);
    const finding = findSlot(deps.catalog, session, request, nowMs);
    if (finding.kind === 'fault') throw appError(finding.fault, FAULT_TEXTS[finding.fault]);
    if (session === null) throw appError('invalid_session', FAULT_TEXTS.invalid_session);
    const { slot } = finding;
    const ask: Ask = {
      request,
      session,
      slot,
      requestId: makeRequestId(nowMs, deps.random),
      time: { filledAtMs: nowMs, expiresAtMs: nowMs + deps.adTtlMs },
      deadlineAt,
    };
    const { requestId } = ask;
    const result = await answer(deps, ask);
    const reason = typeof result === 'string' ? result : null;
    count(deps, ask, result);
    deps.onAnswer(reason, slot.isTest);
    return typeof result === 'string'
      ? { requestId, result: { kind: 'noFill', noFill: noFillAt(slot, result) } }
      : { requestId, result: { kind: 'fill', fill: result } };
  };
}

async function answer(deps: RequestAdDeps, ask: Ask): Promise<Fill | NoFillReason> {
  const { session, requestId, time, slot, deadlineAt } = ask;
  const off = switchedOff(deps.catalog, slot, ask.request);
  if (off !== null) return off;
  const { sessionId } = session;
  const isPassed = deps.fraud.passes({ sessionId, requestId, atMs: time.filledAtMs, deadlineAt });
  return slot.isTest ? fillTest(deps, ask, isPassed) : selectLive(deps, ask, isPassed);
}

/** Step 3. The cap of the placement counts test ads too. Without Redis, test ads are served without the cap. */
async function fillTest(
  deps: RequestAdDeps,
  ask: Ask,
  isPassed: Promise<boolean>,
): Promise<Fill | NoFillReason> {
  const claims = placementClaims(ask);
  const refusal = await claimSlots(deps, { ...ask, isPassed }, claims);
  if (refusal === 'fraud') return 'no_eligible_campaign';
  if (refusal !== null && refusal !== 'down') return 'frequency_capped';
  const creative = testCreative(ask.request.format, ask.request.publicBaseUrl);
  try {
    return makeFill(deps, ask, { creative, campaign: null, leaseRun: '' });
  } catch (error) {
    freeSlots(deps, ask, claims);
    throw error;
  }
}

/** Steps 4 to 8. */
async function selectLive(
  deps: RequestAdDeps,
  ask: Ask,
  isPassed: Promise<boolean>,
): Promise<Fill | NoFillReason> {
  const { headroom, random } = deps;
  const { request, slot, session, requestId, time, deadlineAt } = ask;
  const nowMs = time.filledAtMs;
  headroom.advanceTo(nowMs);
  const walk = deps.index.walk(toQuery(request, slot.app));
  const isSkipped = (entry: IndexedCampaign): boolean => headroom.isSkipped(entry);
  const facts = { nowMs, request, counts: NO_COUNTS, isSkipped, random };
  const task = { request, slot, session, requestId, time, deadlineAt, isPassed, walk, facts };
  const outcome = await fillLive(deps, task);
  if (outcome.kind === 'refused') return 'no_eligible_campaign';
  if (outcome.kind === 'placement_capped') return 'frequency_capped';
  if (outcome.kind === 'filled' || outcome.isWanted) {
    deps.report.countTraffic({ category: slot.app.category, format: request.format }, nowMs);
  }
  return outcome.kind === 'filled' ? outcome.fill : 'no_eligible_campaign';
}

/** Counts live requests that reached the placement. Contract: docs/contract/reports.md#requests-fills-no-fills. */
function count(deps: RequestAdDeps, ask: Ask, result: Fill | NoFillReason): void {
  const { slot, request, time } = ask;
  if (slot.isTest) return;
  const place = {
    publisherId: slot.publisher.id,
    appId: slot.app.id,
    placement: slot.placement.code,
    format: slot.placement.format,
    country: request.country,
  };
  deps.report.countRequest(place, time.filledAtMs, typeof result === 'string' ? result : null);
  if (typeof result !== 'string') deps.report.countFill(place, result.claims);
}
