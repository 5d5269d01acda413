import { service } from 'grpc-health-check';

/** The health of a server. The other states of grpc.health.v1 all mean that it does not serve. */
export interface HealthCheckResponse {
  readonly status: string;
}

const { path, requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } = checkMethod();

/** The method `Check` of grpc.health.v1: whether a server as a whole serves. The status is then `SERVING`. */
export const HealthCheckService = {
  check: {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: (request: { readonly service: string }): Buffer => requestSerialize(request),
    requestDeserialize: (bytes: Buffer) => requestDeserialize(bytes) as { readonly service: string },
    responseSerialize: (response: HealthCheckResponse): Buffer => responseSerialize(response),
    responseDeserialize: (bytes: Buffer) => responseDeserialize(bytes) as HealthCheckResponse,
  },
} as const;

function checkMethod() {
  const method = service['Check'];
  if (method === undefined) throw new Error('grpc-health-check knows no method Check.');
  return method;
}
