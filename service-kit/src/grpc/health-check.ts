import { service } from 'grpc-health-check';

/** What a server says of itself; grpc.health.v1 knows more, all of which mean that it does not serve. */
export interface HealthCheckResponse {
  readonly status: string;
}

const { path, requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } = checkMethod();

/** The one method of grpc.health.v1 that is asked: whether a server as a whole serves. The status is `SERVING` then. */
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
