import type { Response } from 'express';
import type { Answer } from '../domain/answer.js';
import { endConnectionAfter } from './connection-end.js';

/** No answer is kept by a cache. Contract: docs/contract/sdk-api.md#general-rules. */
export const CACHE_CONTROL = 'no-store, private';
const JSON_TYPE = 'application/json; charset=utf-8';

/** The only place where an answer is written. Contract: docs/contract/requests.md#every-answer. */
export function sendAnswer(res: Response, answer: Answer): void {
  // The request has its answer already: what is broken in it was found twice.
  if (res.writableEnded) return;
  res.locals['outcome'] = answer.outcome;
  // A client that has gone, or an answer that is half sent: nothing more can be said.
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  if (answer.isLast === true) endConnectionAfter(res);
  sendJson(res, answer.status, JSON.stringify(answer.body), answer.headers);
}

/** Sends a text that is JSON already. */
export function sendJson(
  res: Response,
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  // A request that was running when the stop began ends its connection too.
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
