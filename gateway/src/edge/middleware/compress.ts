import compression from 'compression';
import type { RequestHandler } from 'express';

/** Smaller answers are not compressed. */
const COMPRESSED_BYTES_MIN = 1_024;

/**
 * Compresses answers for clients that accept it. Other requests skip the compression middleware, because its wrapped
 * writing costs a tenth of an answer. Contract: docs/contract/requests.md#every-answer.
 */
export function compressWhereAccepted(): RequestHandler {
  const compress = compression({ threshold: COMPRESSED_BYTES_MIN });
  return (req, res, next) => {
    if (req.headers['accept-encoding'] !== undefined) {
      compress(req, res, next);
      return;
    }
    // Caches must distinguish this answer from a compressed one.
    res.vary('Accept-Encoding');
    next();
  };
}
