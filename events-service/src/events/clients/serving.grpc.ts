import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import type { ServingClient } from './serving.js';
import { toWireOutcome } from './wire.js';

/** Opens {@link ServingClient}. */
export function openServingClient(scope: Scope, address: string): ServingClient {
  const client = openGrpcClient(scope, ServingServiceService, { address, name: 'serving-service' });
  return {
    async commit(outcomes) {
      await client.commitReservations({ outcomes: outcomes.map(toWireOutcome) });
    },
  };
}
