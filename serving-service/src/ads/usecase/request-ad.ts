import { appError, type Timers } from '@placard/service-kit';
import type { CallContext } from '@placard/service-kit/grpc';
import {
  makeRequestId,
  readRequestId,
  type CatalogReader,
  type Clock,
  type ReportedNoFillReason,
  type RequestId,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { FraudClient } from '../clients/fraud-client.js';
import type { AdRequest, NoFill, NoFillReason, Slot } from '../../domain/ad-request.js';
import type { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { NO_COUNTS } from '../../caps/domain/caps.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import {
  findSlot,
  noFillAt,
  offReason,
  offSwitchOf,
  type OffSwitch,
  type RequestFault,
} from '../domain/checks.js';
import { toQuery } from '../../selection/domain/select.js';
import { TEST_CREATIVES } from '../domain/test-ad.js';
import { claimSlots, freeSlots, placementClaims } from '../../caps/usecase/claim-slots.js';
import { fillLive, type FillLiveDeps } from './fill-live.js';
import { makeFill, type Fill, type FilledRequest } from './make-fill.js';
import type { ServingReport } from './serving-report.js';
import type { AnsweredRequest, RequestSample } from '../../explain/usecase/request-sample.js';

/** An answer is due this long before the deadline, in milliseconds: the time to send it to its client. */
const SENDING_MS = 30;

/** Dependencies of the use case. */
export interface RequestAdDeps extends FillLiveDeps {
  readonly clock: Clock;
  readonly catalog: CatalogReader;
  readonly index: CampaignIndex;
  readonly openSession: (token: string) => SessionClaims | null;
  readonly fraud: FraudClient;
  readonly report: ServingReport;
  readonly sample: Pick<RequestSample, 'take' | 'explain'>;
  readonly adTtlMs: number;
  /** The clock of deadlines, which is the machine's. */
  readonly deadlineClock: Clock;
  readonly timers: Timers;
  /** Called with each answer. Reason null: a fill. */
  readonly onAnswer: (reason: NoFillReason | null, isTest: boolean) => void;
}

/** The answer to an ad request. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export interface AdAnswer {
  readonly requestId: RequestId;
  readonly result:
    { readonly kind: 'fill'; readonly fill: Fill } | { readonly kind: 'noFill'; readonly noFill: NoFill };
}

/** The call that carries an ad request. */
export interface AdCall extends Pick<CallContext, 'deadlineAt' | 'requestId' | 'abandonment'> {
  /** Milliseconds since the request arrived at the gateway. */
  readonly waitedMs: number;
}

/**
 * Answers one ad request. `sessionToken` is the text that the client sent. The id of the HTTP request is the request id of
 * the ad; a caller without one gets a fresh id. A request without an answer shortly before its deadline is a no-fill.
 * Rejects with the errors of the contract, and with `cancelled` when the client has left. A fill that cannot reach its
 * client in time gives price and slots back.
 */
export type RequestAd = (request: AdRequest, sessionToken: string, call: AdCall) => Promise<AdAnswer>;

interface Ask extends FilledRequest {
  /** Epoch ms. */
  readonly deadlineAt: number;
}

/** A fill, and how its price and slots are given back. */
interface Holding {
  readonly fill: Fill;
  readonly undo: () => void;
}

/** A no-fill, and the switch or cap that ended the request. Null: selection found no campaign. */
interface NoAd {
  readonly reason: ReportedNoFillReason;
  readonly endedAt: OffSwitch | 'cap' | null;
}

/** No ad was found in time. */
const LATE: NoAd = { reason: 'no_eligible_campaign', endedAt: null };

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
  return async (request, sessionToken, call) => {
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
      requestId: readRequestId(call.requestId) ?? makeRequestId(nowMs, deps.random),
      time: { filledAtMs: nowMs, expiresAtMs: nowMs + deps.adTtlMs },
      deadlineAt: deadlineOf(deps, slot, call),
    };
    const { requestId } = ask;
    const taken = slot.isTest ? null : deps.sample.take(slot.app, nowMs);
    const answered = await inTime(deps, ask, answer(deps, ask));
    const outcome = 'reason' in answered ? answered : heldFor(deps, ask, answered, call);
    const result = 'reason' in outcome ? outcome.reason : outcome;
    count(deps, ask, result);
    if (taken !== null) deps.sample.explain(taken, answeredOf(ask, outcome));
    if (typeof result !== 'string') {
      deps.onAnswer(null, slot.isTest);
      return { requestId, result: { kind: 'fill', fill: result } };
    }
    const reason = shownReason(result);
    deps.onAnswer(reason, slot.isTest);
    return { requestId, result: { kind: 'noFill', noFill: noFillAt(slot, reason) } };
  };
}

/** The reason that the client gets. Contract: docs/contract/fraud-rules.md#over-the-ad-request-cap. */
function shownReason(reason: ReportedNoFillReason): NoFillReason {
  return reason === 'over_fraud_cap' ? 'no_eligible_campaign' : reason;
}

function answeredOf(ask: Ask, outcome: Fill | NoAd): AnsweredRequest {
  const { requestId, request, slot, session, time } = ask;
  const isNoAd = 'reason' in outcome;
  return {
    requestId,
    atMs: time.filledAtMs,
    request,
    slot,
    sessionId: session.sessionId,
    result: isNoAd ? outcome.reason : 'fill',
    winner: isNoAd ? null : outcome.claims.campaignId,
    endedAt: isNoAd ? outcome.endedAt : null,
  };
}

/** The client stops waiting when the time of the placement is over. It counts from the arrival at the gateway. */
function deadlineOf(deps: RequestAdDeps, { placement }: Slot, { deadlineAt, waitedMs }: AdCall): number {
  return Math.min(deadlineAt, deps.deadlineClock.now() - waitedMs + placement.requestTimeoutMs);
}

/**
 * The answer, or a no-fill shortly before the deadline: a store or a peer that does not answer uses up the time of a
 * request, and its client needs some of it for another network. An ad that is found later gives price and slots back.
 */
function inTime(
  { timers, deadlineClock }: RequestAdDeps,
  { deadlineAt }: Ask,
  answering: Promise<Holding | NoAd>,
): Promise<Holding | NoAd> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const cancel = timers.after(deadlineAt - SENDING_MS - deadlineClock.now(), () => {
      isLate = true;
      resolve(LATE);
    });
    answering.then(
      (answered) => {
        cancel();
        if (isLate && 'fill' in answered) answered.undo();
        resolve(answered);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

/** Holds price and slots of a fill only for a client that waits for it. Throws when the client has left. */
function heldFor(
  { deadlineClock }: RequestAdDeps,
  { deadlineAt }: Ask,
  { fill, undo }: Holding,
  { abandonment }: AdCall,
): Fill | NoAd {
  abandonment?.onAbandoned(undo);
  if (abandonment?.isAbandoned === true) throw appError('cancelled', 'The client has left.');
  if (deadlineClock.now() < deadlineAt) return fill;
  undo();
  return LATE;
}

async function answer(deps: RequestAdDeps, ask: Ask): Promise<Holding | NoAd> {
  const { session, requestId, time, slot, deadlineAt } = ask;
  const off = offSwitchOf(deps.catalog, slot, ask.request);
  if (off !== null) return { reason: offReason(off), endedAt: off };
  const { sessionId } = session;
  const isPassed = deps.fraud.passes({ sessionId, requestId, atMs: time.filledAtMs, deadlineAt });
  return slot.isTest ? fillTest(deps, ask, isPassed) : selectLive(deps, ask, isPassed);
}

/** Step 3. The cap of the placement counts test ads too. Without Redis, test ads are served without the cap. */
async function fillTest(deps: RequestAdDeps, ask: Ask, isPassed: Promise<boolean>): Promise<Holding | NoAd> {
  const claims = placementClaims(ask);
  const refusal = await claimSlots(deps, { ...ask, isPassed }, claims);
  if (refusal === 'fraud') return { reason: 'over_fraud_cap', endedAt: 'cap' };
  if (refusal !== null && refusal !== 'down') return { reason: 'frequency_capped', endedAt: 'cap' };
  const creative = TEST_CREATIVES[ask.request.format];
  try {
    const fill = makeFill(deps, ask, { creative, campaign: null, leaseRun: '' });
    return { fill, undo: () => freeSlots(deps, ask, claims) };
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
): Promise<Holding | NoAd> {
  const { headroom, random } = deps;
  const { request, slot, session, requestId, time, deadlineAt } = ask;
  const nowMs = time.filledAtMs;
  headroom.advanceTo(nowMs);
  const walk = deps.index.walk(toQuery(request, slot.app));
  const isSkipped = (entry: IndexedCampaign): boolean => headroom.isSkipped(entry);
  const facts = { nowMs, request, counts: NO_COUNTS, isSkipped, random };
  const task = { request, slot, session, requestId, time, deadlineAt, isPassed, walk, facts };
  const outcome = await fillLive(deps, task);
  if (outcome.kind === 'refused') return { reason: 'over_fraud_cap', endedAt: 'cap' };
  if (outcome.kind === 'placement_capped') return { reason: 'frequency_capped', endedAt: 'cap' };
  if (outcome.kind === 'filled' || outcome.isWanted) {
    deps.report.countTraffic({ category: slot.app.category, format: request.format }, nowMs);
  }
  if (outcome.kind === 'filled') return outcome;
  return { reason: 'no_eligible_campaign', endedAt: outcome.isEnded ? 'cap' : null };
}

/** Counts live requests that reached the placement. Contract: docs/contract/reports.md#requests-fills-no-fills. */
function count(deps: RequestAdDeps, ask: Ask, result: Fill | ReportedNoFillReason): void {
  const { slot, request, time } = ask;
  if (slot.isTest) return;
  const place = {
    publisherId: slot.publisher.id,
    appId: slot.app.id,
    placement: slot.placement.code,
    format: slot.placement.format,
    country: request.country,
  };
  deps.report.countRequest(place, {
    atMs: time.filledAtMs,
    noFillReason: typeof result === 'string' ? result : null,
    versions: request,
  });
  if (typeof result !== 'string') deps.report.countFill(place, result.claims);
}
