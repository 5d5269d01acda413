import { CATALOG_FILE_BYTES_MAX, decodeUtf8, isUtf8Type } from '@placard/service-kit/pure';
import type { IncomingHttpHeaders } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { readJson } from '../../catalog/domain/json-text.js';
import { toJson } from '../../catalog/domain/raw-value.js';
import type { ProblemParts } from '../domain/problem.js';
import { fieldName } from '../domain/text-faults.js';

/** A body, or the problem with it. */
export type BodyReading = { readonly value: unknown } | { readonly problem: ProblemParts };

/** Reads the body of a request. */
export type ReadBody = (req: Request, res: Response) => Promise<BodyReading>;

const JSON_BYTES_MAX = 1024 * 1024;
const OTHER_CHARSET: ProblemParts = {
  status: 415,
  code: 'invalid_argument',
  detail: 'The Content-Type names another charset than utf-8.',
};

/**
 * Makes the reader of bodies of one media type, in UTF-8. JSON may have a mebibyte, and a catalog file its own limit. JSON is
 * only as deep as a catalog file may be, so that what reads it afterwards may be recursive.
 */
export function makeReadBody(type: string): ReadBody {
  const isJson = type === 'application/json';
  const limit = isJson ? JSON_BYTES_MAX : CATALOG_FILE_BYTES_MAX;
  const read: RequestHandler = express.raw({ type, limit });
  return async (req, res) => {
    if (!isUtf8Type(req.headers['content-type'])) return { problem: OTHER_CHARSET };
    const fault = await new Promise<unknown>((resolve) => read(req, res, resolve));
    if (fault !== undefined) return { problem: toProblemParts(fault, limit) };
    const bytes: unknown = req.body;
    if (!Buffer.isBuffer(bytes)) {
      // The library leaves out an empty body.
      const isEmptyText =
        !isJson && req.headers['content-type']?.startsWith(type) === true && !hasBody(req.headers);
      return isEmptyText ? { value: '' } : { problem: wrongType(type) };
    }
    const decoded = decodeUtf8(bytes);
    if ('fault' in decoded) return unreadable(decoded.fault);
    return isJson ? parse(decoded.text) : { value: decoded.text };
  };
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function wrongType(type: string): ProblemParts {
  const detail = `The body must not be empty, and its Content-Type must be ${type}.`;
  return { status: 415, code: 'invalid_argument', detail };
}

/** An object with a member twice has two meanings, and money would be booked by one of them. */
function parse(text: string): BodyReading {
  const read = readJson(text);
  if ('value' in read) return { value: toJson(read.value, Number) };
  if (read.repeated === null) return unreadable(read.fault);
  const errors = [{ field: fieldName([read.repeated]), detail: 'must be given once' }];
  return { problem: { status: 422, code: 'invalid_argument', detail: 'The body is refused.', errors } };
}

function unreadable(detail: string): BodyReading {
  const errors = [{ field: 'body', detail }];
  return {
    problem: { status: 400, code: 'invalid_argument', detail: `The body ${detail}.`, errors },
  };
}

/** The faults of the library that reads bodies have a status. */
function toProblemParts(fault: unknown, limit: number): ProblemParts {
  const { status } = fault as { readonly status?: unknown };
  if (status === 413) {
    return { status, code: 'invalid_argument', detail: `The body must not be larger than ${limit} bytes.` };
  }
  if (status === 415) {
    return { status, code: 'invalid_argument', detail: 'The Content-Encoding of the body is not supported.' };
  }
  return { status: 400, code: 'invalid_argument', detail: 'The body could not be read.' };
}
