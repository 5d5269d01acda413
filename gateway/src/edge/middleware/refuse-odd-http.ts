import type { Request, RequestHandler } from 'express';
import { brokenHttp } from '../../domain/answer.js';
import { sendAnswer } from '../../middleware/send-answer.js';

/**
 * Refuses requests that the parser accepts but that other servers read differently: a request without a version
 * (HTTP/0.9), and one with several `Host` headers. The answer is 400 with the envelope, and the connection ends.
 */
export const refuseOddHttp: RequestHandler = (req, res, next) => {
  if (req.httpVersionMajor === 0 || hostCount(req) > 1) sendAnswer(res, brokenHttp());
  else next();
};

function hostCount({ rawHeaders }: Request): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
}
