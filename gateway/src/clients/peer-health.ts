import { messageOf, openGrpcClient, type Scope } from '@placard/service-kit';
import type { PeerOptions } from './peer.js';

/** Milliseconds between two questions to one peer, and the longest wait for the answer. */
const ASK_INTERVAL_MS = 1_000;
const ANSWER_MS_MAX = 800;
/** `SERVING` of grpc.health.v1. */
const SERVING = 1;

/** The one method of grpc.health.v1 that is asked: an empty request; the answer's second byte is the status. */
const HealthCheck = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => null,
    responseSerialize: (status: number) => Buffer.from([8, status]),
    responseDeserialize: (bytes: Buffer) => bytes[1] ?? 0,
  },
} as const;

/**
 * Keeps a health component true to whether the peer serves. The gateway is ready without it: the peer's endpoints
 * answer 500 while it is away, the others go on.
 * Contract: docs/contract/failures.md#session-service-serving-service-events-service.
 */
export function watchPeerHealth(scope: Scope, options: PeerOptions): void {
  const component = scope.health.register(options.name, { optional: true });
  const client = openGrpcClient(scope, HealthCheck, { ...options, budgetMs: ANSWER_MS_MAX });
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const status = await client.check(null);
      component.set(status === SERVING, status === SERVING ? undefined : 'not ready');
    } catch (error) {
      component.set(false, messageOf(error));
    } finally {
      isAsking = false;
    }
  };
  void ask();
  const timer = setInterval(() => void ask(), ASK_INTERVAL_MS);
  scope.onClose(`health of ${options.name}`, () => clearInterval(timer));
}
