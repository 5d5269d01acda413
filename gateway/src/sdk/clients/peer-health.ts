import { messageOf, type Scope } from '@placard/service-kit';
import { HealthCheckService, openGrpcClient } from '@placard/service-kit/grpc';
import type { PeerOptions } from './peer.js';

/** Milliseconds between two health checks of one peer, and the longest wait for an answer. */
const CHECK_INTERVAL_MS = 1_000;
const ANSWER_MS_MAX = 800;

/**
 * Keeps a health component up to date: whether the peer serves. The gateway is ready without the peer. While the peer
 * is unavailable, its endpoints answer 500 and the others work.
 * Contract: docs/contract/failures.md#session-service-serving-service-events-service.
 */
export function watchPeerHealth(scope: Scope, options: PeerOptions): void {
  const component = scope.health.register(options.name, { optional: true });
  const client = openGrpcClient(scope, HealthCheckService, { ...options, budgetMs: ANSWER_MS_MAX });
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      const { status } = await client.check({ service: '' });
      const isServing = status === 'SERVING';
      component.set(isServing, isServing ? undefined : 'not ready');
    } catch (error) {
      component.set(false, messageOf(error));
    } finally {
      isChecking = false;
    }
  };
  void check();
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS);
  scope.onClose(`health of ${options.name}`, () => clearInterval(timer));
}
