import {
  TryServiceService,
  type ExplainedRequest,
  type TryRequest as WireRequest,
} from '@placard/protos/explain/v1/explain.js';
import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { asAppId, asPlacementCode } from '@placard/service-kit/pure';
import { refiningTexts, type RefiningText } from '../../domain/ad-request.js';
import type { TriedRequest } from '../usecase/try-request.js';

/** Dependencies of the handlers. */
export interface TryHandlersDeps {
  /** Explains a request and encodes the explanation. */
  readonly tryRequest: (request: TriedRequest) => Promise<ExplainedRequest>;
  /** False until a catalog is loaded. Calls then fail with `unavailable`. */
  readonly isCatalogLoaded: () => boolean;
}

/** TryService on the wire. Contract: docs/contract/explanations.md#tried-requests. */
export function implementTryService({ tryRequest, isCatalogLoaded }: TryHandlersDeps): ImplementedService {
  return implementService(TryServiceService, {
    async try(request) {
      if (!isCatalogLoaded()) throw appError('unavailable', 'The catalog is not loaded yet.');
      return { request: await tryRequest(fromWire(request)) };
    },
  });
}

function fromWire(request: WireRequest): TriedRequest {
  return {
    appId: asAppId(request.appId),
    placement: asPlacementCode(request.placement),
    ...refiningTexts(request satisfies Pick<WireRequest, RefiningText>),
    screenWidth: request.screenWidth ?? null,
    screenHeight: request.screenHeight ?? null,
  };
}
