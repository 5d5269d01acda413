import { readCountry } from '@placard/service-kit/pure';
import type { Request } from 'express';
import type { Socket } from 'node:net';
import { UNKNOWN_ADDRESS, type Address, type Trust } from '../domain/address.js';
import { publicBaseUrl } from '../domain/public-base-url.js';
import type { CountryOf } from '../store/country-database.js';
import { clientAddress, parseAddress } from './addresses.js';

/** The origin of a request. The address stays in the gateway: it appears in no log, key or call. */
export interface ClientOrigin {
  readonly address: Address;
  /** ISO 3166-1 alpha-2. Null: unknown. The look-up happens at the call. */
  country(): string | null;
  /** The address under which the client reached the product. */
  publicBaseUrl(): string;
}

/** The operator's settings about proxies and countries. */
export interface OriginSettings {
  readonly trust: Trust;
  /** The name of the header, in lower case. Null: none. */
  readonly countryHeader: string | null;
  readonly countryOf: CountryOf;
}

/**
 * Reads the origin of a request. Forwarding headers and the country header are used only when the peer is a trusted
 * proxy. Contract: docs/contract/rate-limits.md#client-address, docs/contract/selection.md#country,
 * docs/contract/selection.md#files-of-the-product.
 */
export function originOf(req: Request, settings: OriginSettings): ClientOrigin {
  const { address: peer, isTrusted } = peerOf(req.socket, settings);
  const header = (name: string): string | undefined => (isTrusted ? textOf(req.headers[name]) : undefined);
  const address = clientAddress(peer, header('x-forwarded-for'), settings.trust);
  return {
    address,
    country() {
      const named = settings.countryHeader === null ? undefined : header(settings.countryHeader);
      return readCountry(named?.trim() ?? '') ?? settings.countryOf(address);
    },
    publicBaseUrl: () =>
      publicBaseUrl({
        host: req.headers.host,
        forwardedHost: header('x-forwarded-host'),
        forwardedProto: header('x-forwarded-proto'),
        local: {
          address: parseAddress(req.socket.localAddress ?? '')?.text ?? '127.0.0.1',
          port: req.socket.localPort ?? 80,
        },
      }),
  };
}

/** The peer of a connection. */
export interface Peer {
  readonly address: Address;
  readonly isTrusted: boolean;
  readonly settings: OriginSettings;
}

const peers = new WeakMap<Socket, Peer>();

/** The peer of a connection does not change, so it is read once. */
export function peerOf(socket: Socket, settings: OriginSettings): Peer {
  const known = peers.get(socket);
  if (known?.settings === settings) return known;
  const address = parseAddress(socket.remoteAddress ?? '') ?? UNKNOWN_ADDRESS;
  const peer = { address, isTrusted: settings.trust(address.text, 0), settings };
  peers.set(socket, peer);
  return peer;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
