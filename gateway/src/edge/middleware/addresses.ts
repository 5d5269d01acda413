import { makeBoundedMap } from '@placard/service-kit/background';
import ipaddr from 'ipaddr.js';
import type { Address, Trust } from '../domain/address.js';

/** Most entries of a forwarding chain that are read. */
const FORWARDED_ENTRIES_MAX = 64;
const ADDRESS_CHARS_MAX = 64;

/** Most parsed texts in the cache: some megabytes. Clients return, and parsing IPv6 is expensive. */
const PARSED_MAX = 10_000;
/** Null: the text is no address. */
const parsedTexts = makeBoundedMap<string, { readonly address: Address | null }>(PARSED_MAX);

/** Parses an address. Null for anything else, including old forms of IPv4 (`1.2.3`, `010.1.1.1`, `0x7f.1`). */
export function parseAddress(text: string): Address | null {
  const known = parsedTexts.get(text);
  if (known !== undefined) return known.address;
  // A long text is not an address and is not cached.
  if (text.length > ADDRESS_CHARS_MAX) return null;
  const address = readAddress(text);
  parsedTexts.set(text, { address });
  return address;
}

function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return toAddress(ipaddr.IPv4.parse(text));
  const bare = text.replace(/%.*$/, '');
  return ipaddr.IPv6.isValid(bare) ? toAddress(ipaddr.process(bare)) : null;
}

function toAddress(parsed: ipaddr.IPv4 | ipaddr.IPv6): Address {
  return { family: parsed.kind() === 'ipv4' ? 4 : 6, text: parsed.toString(), bytes: parsed.toByteArray() };
}

/**
 * The addresses of an `X-Forwarded-For` header, nearest hop first. Ports and brackets are removed; entries that are not
 * an address are skipped. Contract: docs/contract/rate-limits.md#x-forwarded-for.
 */
export function readForwardedFor(header: string): Address[] {
  const addresses: Address[] = [];
  for (const entry of header.split(',').reverse().slice(0, FORWARDED_ENTRIES_MAX)) {
    const address = parseAddress(stripPort(entry.trim()));
    if (address !== null) addresses.push(address);
  }
  return addresses;
}

function stripPort(entry: string): string {
  const bracketed = /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(entry);
  if (bracketed !== null) return bracketed[1] ?? '';
  return entry.replace(/^([\d.]+):\d+$/, '$1');
}

/**
 * The client's address: the nearest address that is not a trusted proxy, or the furthest when all are trusted. The
 * header is only used as far as trusted hops reach. Contract: docs/contract/rate-limits.md#client-address.
 */
export function clientAddress(peer: Address, forwardedFor: string | undefined, trust: Trust): Address {
  let address = peer;
  if (forwardedFor === undefined || !trust(peer.text, 0)) return address;
  for (const [index, next] of readForwardedFor(forwardedFor).entries()) {
    address = next;
    if (!trust(next.text, index + 1)) break;
  }
  return address;
}
