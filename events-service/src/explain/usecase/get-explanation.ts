import { appError } from '@placard/service-kit';
import { readRequestId } from '@placard/service-kit/pure';
import type { ExplanationStore } from '../store/explanations.js';

/**
 * Reads the explanation of a request. Errors: `invalid_argument` (the text has not the form of a request id), `not_found`
 * (none is kept), `unavailable`. Contract: docs/contract/explanations.md#kept-requests.
 */
export type GetExplanation = (requestId: string) => Promise<Uint8Array>;

/** Makes {@link GetExplanation}. */
export function makeGetExplanation(store: Pick<ExplanationStore, 'find'>): GetExplanation {
  return async (text) => {
    const requestId = readRequestId(text);
    if (requestId === null)
      throw appError('invalid_argument', 'A request id is req_ and 32 hexadecimal digits in lower case.');
    const explanation = await store.find(requestId);
    if (explanation === null)
      throw appError(
        'not_found',
        'No explanation of this request is kept: it is not in the sample, or older than 3 days.',
      );
    return explanation;
  };
}
