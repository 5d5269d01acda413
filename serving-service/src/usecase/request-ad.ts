import { appError, type CallContext } from '@placard/service-kit';
import {
  makeRequestId,
  type CatalogReader,
  type Clock,
  type RequestId,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { FraudClient } from '../clients/fraud-client.js';
import type { AdRequest, NoFill, NoFillReason, Slot } from '../domain/ad-request.js';
import type { CampaignIndex } from '../domain/campaign-index.js';
import { isCapped, placementUnit, type CapCounts } from '../domain/caps.js';
import type { IndexedCampaign } from '../domain/indexed-campaign.js';
import { findSlot, noFillAt, switchedOff, type RequestFault } from '../domain/checks.js';
import { isWanted, toQuery } from '../domain/select.js';
import { testCreative } from '../domain/test-ad.js';
import { fillLive, placementClaims, type FillDeps } from './fill-live.js';
import { makeFill, type Fill } from './make-fill.js';
import type { ServingReport } from './serving-report.js';

/** What answering ad requests needs. */
export interface RequestAdDeps extends FillDeps {
  readonly clock: Clock;
  readonly catalog: CatalogReader;
  readonly index: CampaignIndex;
  readonly openSession: (token: string) => SessionClaims | null;
  readonly fraud: FraudClient;
  readonly report: ServingReport;
  readonly adTtlMs: number;
  /** Told of every answer: null for a fill. */
  readonly onAnswer: (reason: NoFillReason | null, isTest: boolean) => void;
}

/** The answer to an ad request. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export interface AdAnswer {
  readonly requestId: RequestId;
  readonly result:
    { readonly kind: 'fill'; readonly fill: Fill } | { readonly kind: 'noFill'; readonly noFill: NoFill };
}

/** Answers one ad request. `sessionToken` is as sent. Rejects with the contract's errors. */
export type RequestAd = (
  request: AdRequest,
  sessionToken: string,
  call: Pick<CallContext, 'deadlineAt'>,
) => Promise<AdAnswer>;

interface Ask {
  readonly request: AdRequest;
  readonly session: SessionClaims;
  readonly slot: Slot;
  readonly requestId: RequestId;
  readonly nowMs: number;
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
    const ask = { request, session, slot, requestId: makeRequestId(nowMs, deps.random), nowMs, deadlineAt };
    const result = await answer(deps, ask);
    const reason = typeof result === 'string' ? result : null;
    count(deps, ask, result);
    deps.onAnswer(reason, slot.isTest);
    return {
      requestId: ask.requestId,
      result:
        typeof result === 'string'
          ? { kind: 'noFill', noFill: noFillAt(slot, result) }
          : { kind: 'fill', fill: result },
    };
  };
}

async function answer(deps: RequestAdDeps, ask: Ask): Promise<Fill | NoFillReason> {
  const off = switchedOff(deps.catalog, ask.slot, ask.request);
  if (off !== null) return off;
  const { session, requestId, nowMs, deadlineAt } = ask;
  const [isPassed, counts] = await Promise.all([
    deps.fraud.passes({ sessionId: session.sessionId, requestId, atMs: nowMs, deadlineAt }),
    readCounts(deps, ask),
  ]);
  if (!isPassed) return 'no_eligible_campaign';
  // Without the counters no cap can be kept: live requests end here, test ads go on.
  if (counts === null && !ask.slot.isTest) return 'no_eligible_campaign';
  const { placement } = ask.slot;
  if (isCapped(counts ?? new Map(), placementUnit(placement.code), placement.frequencyCap)) {
    return 'frequency_capped';
  }
  return ask.slot.isTest ? fillTest(deps, ask) : selectLive(deps, ask, counts ?? new Map());
}

/** The session's counts, empty where nothing could be capped; null when the store cannot be reached. */
async function readCounts(deps: RequestAdDeps, ask: Ask): Promise<CapCounts | null> {
  const isCapPossible = ask.slot.placement.frequencyCap !== null || (!ask.slot.isTest && deps.index.hasCaps);
  if (!isCapPossible) return new Map();
  try {
    return await deps.caps.counts(ask.session.sessionId, ask.nowMs);
  } catch (error) {
    deps.onDegraded(error);
    return null;
  }
}

/** Step 3. The placement's cap counts test ads too. */
async function fillTest(deps: RequestAdDeps, ask: Ask): Promise<Fill | NoFillReason> {
  const time = timeOf(deps, ask);
  const claims = placementClaims({ ...ask, time });
  if (claims.length > 0) {
    const fill = { sessionId: ask.session.sessionId, requestId: ask.requestId };
    try {
      const full = await deps.caps.claim(fill, claims, ask.nowMs);
      if (full !== null) return 'frequency_capped';
    } catch (error) {
      deps.onDegraded(error);
    }
  }
  const creative = testCreative(ask.request.format, ask.request.publicBaseUrl);
  return makeFill(deps, { ...ask, time }, { creative, campaign: null, leaseRun: '' });
}

/** Steps 4 to 8. */
async function selectLive(deps: RequestAdDeps, ask: Ask, counts: CapCounts): Promise<Fill | NoFillReason> {
  const { request, slot, nowMs } = ask;
  deps.outlook.turnTo(nowMs);
  const traffic = { isWanted: false };
  // Asked only for campaigns that have passed targeting and caps.
  const isSpent = (entry: IndexedCampaign): boolean => {
    traffic.isWanted = true;
    return deps.outlook.isSpent(entry);
  };
  const task = {
    ...{ ...ask, time: timeOf(deps, ask), walk: deps.index.walk(toQuery(request, slot.app)) },
    facts: { nowMs, request, counts, isSpent, random: deps.random },
  };
  const outcome = await fillLive(deps, task);
  if (traffic.isWanted || task.walk.passedOver.some((entry) => isWanted(entry, task.facts))) {
    deps.report.countTraffic({ category: slot.app.category, format: request.format }, nowMs);
  }
  if (outcome.kind === 'placement_capped') return 'frequency_capped';
  return outcome.kind === 'none' ? 'no_eligible_campaign' : outcome.fill;
}

function timeOf(deps: RequestAdDeps, ask: Ask) {
  return { filledAtMs: ask.nowMs, expiresAtMs: ask.nowMs + deps.adTtlMs };
}

/** Counts live requests that reached the placement. Contract: docs/contract/reports.md#requests-fills-no-fills. */
function count(deps: RequestAdDeps, ask: Ask, result: Fill | NoFillReason): void {
  const { slot, request, nowMs } = ask;
  if (slot.isTest) return;
  const place = {
    publisherId: slot.publisher.id,
    appId: slot.app.id,
    placement: slot.placement.code,
    format: slot.placement.format,
    country: request.country,
  };
  deps.report.countRequest(place, nowMs, typeof result === 'string' ? result : null);
  if (typeof result === 'string') return;
  const { claims } = result;
  deps.report.countFill(place, claims);
}
