import type { Socket } from 'node:net';
import { makeSlots } from '../../limits/domain/slots.js';
import type { CountRefusal } from '../../limits/middleware/refusals.js';
import { networkOf } from '../domain/address.js';
import { peerOf, type OriginSettings } from './client-origin.js';

/** What the bound of connections needs. */
export interface BoundConnectionsDeps {
  readonly origin: OriginSettings;
  readonly countRefusal: CountRefusal;
}

/**
 * Bounds the open connections of each network to `perNetworkMax` (0: no bound): one more is counted and closed
 * unanswered. Trusted proxies carry the connections of many networks and are not bounded.
 */
export function boundConnections(
  perNetworkMax: number,
  { origin, countRefusal }: BoundConnectionsDeps,
): (socket: Socket) => void {
  const slots = makeSlots({ perKey: perNetworkMax, all: 0 });
  return (socket) => {
    const { address, isTrusted } = peerOf(socket, origin);
    if (isTrusted) return;
    const giveBack = slots.take(networkOf(address));
    if (giveBack !== null) {
      socket.once('close', giveBack);
      return;
    }
    countRefusal('connections', 'network');
    socket.destroy();
  };
}
