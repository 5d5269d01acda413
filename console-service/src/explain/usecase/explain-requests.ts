import type { Explanations } from '../clients/explanations.js';

export type { ExplainedCandidate, ExplainedRequest, TryRequest } from '../clients/explanations.js';

/** Explains one request that was kept, or one that no client makes. */
export type ExplainRequests = Pick<Explanations, 'request' | 'try'>;
