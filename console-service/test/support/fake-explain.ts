import {
  ExplainServiceService,
  TryServiceService,
  type ExplainedRequest,
  type FunnelHour,
  type GetFunnelRequest,
  type TryRequest,
} from '@placard/protos/explain/v1/explain.js';
import { appError } from '@placard/service-kit';

/** Answers of the services that explain, as a test sets them, and what they were asked. */
export interface FakeExplain {
  hours: FunnelHour[];
  /** Null: not found. */
  explained: ExplainedRequest | null;
  readonly funnels: GetFunnelRequest[];
  readonly tried: TryRequest[];
}

/** No explanation. */
export function makeFakeExplain(): FakeExplain {
  return { hours: [], explained: null, funnels: [], tried: [] };
}

/** The services of events-service and serving-service that explain. */
export function explainServices(fake: FakeExplain, asOfMs: number) {
  const answer = () => {
    if (fake.explained === null) throw appError('not_found', 'There is none.');
    return Promise.resolve({ request: fake.explained });
  };
  return [
    {
      definition: ExplainServiceService,
      handlers: {
        recordRequests: () => Promise.resolve({}),
        getFunnel: (request: GetFunnelRequest) => {
          fake.funnels.push(request);
          return Promise.resolve({ asOfMs: BigInt(asOfMs), hours: fake.hours });
        },
        getRequest: answer,
      },
    },
    {
      definition: TryServiceService,
      handlers: {
        try: (request: TryRequest) => {
          fake.tried.push(request);
          return answer();
        },
      },
    },
  ] as const;
}
