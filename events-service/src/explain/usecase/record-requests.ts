import { appError } from '@placard/service-kit';
import type { ExplanationStore, StoredExplanation } from '../store/explanations.js';

export type { StoredExplanation } from '../store/explanations.js';

/** Most explanations of one call. */
export const REQUESTS_MAX = 100;
/** Most bytes of one explanation. */
const EXPLANATION_BYTES_MAX = 64 * 1_024;

/** Keeps explanations of requests; safe to repeat. Errors: `invalid_argument`, `unavailable`. */
export type RecordRequests = (explanations: readonly StoredExplanation[]) => Promise<void>;

/** Makes {@link RecordRequests}. */
export function makeRecordRequests(store: Pick<ExplanationStore, 'keep'>): RecordRequests {
  return async (explanations) => {
    if (explanations.length > REQUESTS_MAX)
      throw appError('invalid_argument', `A call has at most ${REQUESTS_MAX} explanations.`);
    if (explanations.some(({ explanation }) => explanation.length > EXPLANATION_BYTES_MAX))
      throw appError('invalid_argument', `An explanation has at most ${EXPLANATION_BYTES_MAX} bytes.`);
    if (explanations.length > 0) await store.keep(explanations);
  };
}
