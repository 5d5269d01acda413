import type { Scope } from '@placard/service-kit';
import { keepProbing } from '@placard/service-kit/background';
import { HealthCheckService, openGrpcClient } from '@placard/service-kit/grpc';
import type { PeerOptions } from './peer.js';

/** Longest wait for the answer of one health check, in milliseconds. */
const ANSWER_MS_MAX = 800;

/**
 * Keeps a health component up to date: whether the peer serves. The gateway is ready without the peer. While the peer
 * is unavailable, its endpoints answer 500 and the others work.
 * Contract: docs/contract/failures.md#session-service-serving-service-events-service.
 */
export function watchPeerHealth(scope: Scope, options: PeerOptions): void {
  const client = openGrpcClient(scope, HealthCheckService, { ...options, budgetMs: ANSWER_MS_MAX });
  keepProbing(scope, {
    name: options.name,
    optional: true,
    async check() {
      const { status } = await client.check({ service: '' });
      if (status !== 'SERVING') throw new Error('not ready');
    },
  });
}
