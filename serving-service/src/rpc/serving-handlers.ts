import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import type { RequestAd } from '../ads/usecase/request-ad.js';
import type { SettleCaps } from '../caps/usecase/settle-caps.js';
import { fromOutcome, fromRequest, toResponse } from './wire.js';

/** Most outcomes in one call. */
const OUTCOMES_MAX = 10_000;

/** Dependencies of the handlers. */
export interface ServingHandlersDeps {
  readonly requestAd: RequestAd;
  readonly settleCaps: SettleCaps;
  /** False until a catalog is loaded. Ad requests then fail with `unavailable`. */
  readonly isCatalogLoaded: () => boolean;
}

/** ServingService on the wire. Its errors are those of the use cases. */
export function implementServingService(deps: ServingHandlersDeps): ImplementedService {
  return implementService(ServingServiceService, {
    async requestAd(request, call) {
      if (!deps.isCatalogLoaded()) throw appError('unavailable', 'The catalog is not loaded yet.');
      const { sessionToken, waitedMs } = request;
      return toResponse(await deps.requestAd(fromRequest(request), sessionToken, { ...call, waitedMs }));
    },
    async commitReservations({ outcomes }) {
      if (outcomes.length > OUTCOMES_MAX)
        throw appError('invalid_argument', 'Too many outcomes in one call.');
      const notes = outcomes.map(fromOutcome).filter((note) => note !== null);
      await deps.settleCaps(notes);
      return {};
    },
  });
}
