import type { Response } from 'express';
import type { Answer } from '../domain/answer.js';
import { isManagePath, toProblem } from '../domain/problem.js';
import { endConnectionAfter } from './connection-end.js';
import { requestIdOf } from './request-id.js';

/** Caches store no answer. Contract: docs/contract/sdk-api.md#general-rules. */
export const CACHE_CONTROL = 'no-store, private';
/** Content type of every answer of the API. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Writes an answer, under the path of the management API as problem details. No other function does this.
 * Contract: docs/contract/requests.md#every-answer, docs/management-api.md.
 */
export function sendAnswer(res: Response, answer: Answer): void {
  // The request already has an answer. Its fault was detected twice.
  if (res.writableEnded) return;
  res.locals['outcome'] = answer.outcome;
  // The client is gone, or the answer is half sent. No further answer is possible.
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  if (answer.isLast === true) endConnectionAfter(res);
  const { status, body, headers } = isManagePath(res.req.path) ? toProblem(answer, requestIdOf(res)) : answer;
  sendJson(res, status, JSON.stringify(body), headers);
}

/** Sends a text that is already JSON. `headers` replace the usual ones. */
export function sendJson(
  res: Response,
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  // A request that was running when the stop began also ends its connection.
  const { stopping } = res.locals as { readonly stopping?: AbortSignal };
  if (stopping?.aborted === true) res.setHeader('Connection', 'close');
  res.statusCode = status;
  res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader('Cache-Control', CACHE_CONTROL);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Content-Length', Buffer.byteLength(json));
  res.end(json);
}
