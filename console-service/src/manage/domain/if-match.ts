import { IF_MATCH, needsHeader, type Endpoint } from './api-document.js';
import type { ProblemParts } from './problem.js';

/** The version in the header, or the problem with it. Null: the operation has no such header. */
export type IfMatchReading = { readonly version: number | null } | { readonly problem: ProblemParts };

/** An `ETag` as the API writes it: a version of the catalog in quotes. */
const ETAG = /^"([1-9]\d{0,14})"$/;

/** Reads the header `If-Match` of a request. Contract: docs/contract/operator-interface.md#objects-of-the-catalog. */
export function readIfMatch(
  endpoint: Pick<Endpoint, 'parameters'>,
  given: string | undefined,
): IfMatchReading {
  if (!needsHeader(endpoint, IF_MATCH)) return { version: null };
  if (given === undefined) {
    const detail =
      'If-Match is required: the ETag of what you have read, so that no change of others is undone.';
    return { problem: { status: 428, code: 'precondition_required', detail } };
  }
  const version = ETAG.exec(given)?.[1];
  if (version !== undefined) return { version: Number(version) };
  const fault = { field: IF_MATCH, value: given, detail: 'must be an ETag of this API, such as "12"' };
  return {
    problem: {
      status: 422,
      code: 'invalid_argument',
      detail: 'The request is refused.',
      errors: [fault],
    },
  };
}
