import type { Socket } from 'node:net';
import { makeSlots } from '../../limits/domain/slots.js';
import type { CountRefusal } from '../../limits/middleware/refusals.js';
import { networkOf } from '../domain/address.js';
import { peerOf, type OriginSettings } from './client-origin.js';

/** Dependencies of the connection limit. */
export interface BoundConnectionsDeps {
  readonly origin: OriginSettings;
  readonly countRefusal: CountRefusal;
}

/**
 * Limits the open connections of each network to `perNetworkMax` (0: no limit). A further connection is counted and
 * closed without an answer. Trusted proxies have connections of many networks and are not limited.
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
