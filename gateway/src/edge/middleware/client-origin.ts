import { readCountry } from '@placard/service-kit/pure';
import type { Request } from 'express';
import type { Socket } from 'node:net';
import { UNKNOWN_ADDRESS, type Address, type Trust } from '../domain/address.js';
import { publicBaseUrl } from '../domain/public-base-url.js';
import type { CountryOf } from '../store/country-database.js';
import { clientAddress, parseAddress } from './addresses.js';

/** Where a request comes from and how it got here. The address stays in the gateway: in no log, key or call. */
export interface ClientOrigin {
  readonly address: Address;
  /** ISO 3166-1 alpha-2, null when not known; looked up only when called. */
  country(): string | null;
  /** Where the client reached the product. */
  publicBaseUrl(): string;
}

/** What the operator set about proxies and countries. */
export interface OriginSettings {
  readonly trust: Trust;
  /** In lower case; null: none. */
  readonly countryHeader: string | null;
  readonly countryOf: CountryOf;
}

/**
 * Reads where a request comes from. Forwarding headers, the country header among them, count only when the peer is
 * a trusted proxy. Contract: docs/contract/rate-limits.md#client-address, docs/contract/selection.md#country,
 * docs/contract/selection.md#test-ad.
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

/** Who is at the other end of a connection. */
export interface Peer {
  readonly address: Address;
  readonly isTrusted: boolean;
  readonly settings: OriginSettings;
}

const peers = new WeakMap<Socket, Peer>();

/** A connection's peer does not change: it is read once. */
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
