import type { Scope } from '@placard/service-kit';
import { makeRequestId, readRequestId, type RequestId } from '@placard/service-kit/pure';
import type { RequestHandler, Response } from 'express';

/** The header of every answer. Contract: docs/contract/requests.md#request-id. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/**
 * Gives each request its id and each answer the header. It comes before every other handler, so that no answer is without
 * one. An id that a client sends is ignored: it could be anyone's, and it would be in the log.
 */
export function giveRequestId({ clock, random }: Pick<Scope, 'clock' | 'random'>): RequestHandler {
  return (_, res, next) => {
    const requestId = makeRequestId(clock.now(), random);
    res.locals['requestId'] = requestId;
    res.setHeader(REQUEST_ID_HEADER, requestId);
    next();
  };
}

/** The id that {@link giveRequestId} gave. */
export function requestIdOf(res: Response): RequestId {
  return (res.locals as { readonly requestId: RequestId }).requestId;
}

/** Notes the ad whose event the request reports: the `request_id` of its body, as the client sent it. */
export function noteAd(res: Response, requestId: string): void {
  res.locals['adRequestId'] = requestId;
}

/**
 * What each log line about the request has: its `requestId`, and `adRequestId` when it reports an event of an ad. A text
 * that is no request id is left out, because a client chose it.
 */
export function requestFields(res: Response): { readonly requestId: string; readonly adRequestId?: string } {
  const { adRequestId } = res.locals as { readonly adRequestId?: string };
  const ad = adRequestId === undefined ? null : readRequestId(adRequestId);
  return { requestId: requestIdOf(res), ...(ad === null ? {} : { adRequestId: ad }) };
}
