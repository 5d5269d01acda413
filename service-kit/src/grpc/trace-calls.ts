import { REQUEST_ID, type Tracing } from '../tracing/tracing.js';
import type { CallContext } from './call-context.js';

type Handler = (request: unknown, call: CallContext) => unknown;

/** Records a call to a peer as a step of the running request. The call carries the `traceparent` of the step. */
export function traceCall<T>(
  tracing: Tracing,
  path: string,
  send: (traceparent: string | null) => Promise<T>,
): Promise<T> {
  return tracing.step(nameOf(path), { kind: 'client', attributes: attributesOf(path) }, () =>
    send(tracing.traceparent()),
  );
}

/** Records the work of a handler as a step of the caller's trace. The handler gets the `traceparent` of this step. */
export function traceHandler(tracing: Tracing | null, path: string, handler: Handler): Handler {
  if (tracing === null) return handler;
  const name = nameOf(path);
  const attributes = attributesOf(path);
  return (request, call) => {
    const ofCall = call.requestId === '-' ? attributes : { ...attributes, [REQUEST_ID]: call.requestId };
    return tracing.resume(
      call.traceparent ?? null,
      name,
      { kind: 'server', attributes: ofCall },
      async () => {
        return await handler(request, { ...call, traceparent: tracing.traceparent() });
      },
    );
  };
}

/** `/placard.events.v1.EventsService/RecordClick` → `EventsService/RecordClick`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function attributesOf(path: string) {
  return { 'rpc.system.name': 'grpc', 'rpc.method': path.slice(1) };
}
