import type { Response } from 'express';
import { PROBLEM_TYPE, toProblem, type ProblemParts } from '../domain/problem.js';
import { requestIdOf } from './request-id.js';

/** Seconds after which a client may ask again when a part of the product is away or overloaded, unless the cause says it. */
const RETRY_SECONDS = 5;

/** Answers with problem details. Does nothing when the client is gone. */
export function sendProblem(res: Response, parts: ProblemParts): void {
  if (res.headersSent || res.destroyed) return;
  if (parts.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  if (parts.status === 503 || parts.status === 429)
    res.setHeader('Retry-After', String(parts.retryAfterSeconds ?? RETRY_SECONDS));
  res
    .status(parts.status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(toProblem(parts, requestIdOf(res))));
}
