import type { Scope } from '@placard/service-kit';
import { makeRequestId, readRequestId, type RequestId } from '@placard/service-kit/pure';
import type { RequestHandler, Response } from 'express';

const HEADER = 'X-Request-Id';

/** Gives each request an id, and each answer the header with it. The id of the gateway is kept, since its log has it. */
export function giveRequestId({ clock, random }: Pick<Scope, 'clock' | 'random'>): RequestHandler {
  return (req, res, next) => {
    const given = req.get(HEADER);
    const requestId =
      (given === undefined ? null : readRequestId(given)) ?? makeRequestId(clock.now(), random);
    res.locals['requestId'] = requestId;
    res.setHeader(HEADER, requestId);
    next();
  };
}

/** The id that {@link giveRequestId} gave. */
export function requestIdOf(res: Response): RequestId {
  return (res.locals as { readonly requestId: RequestId }).requestId;
}
