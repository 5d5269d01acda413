/**
 * An IP address of a client or a proxy. IPv4-mapped IPv6 is held as IPv4.
 * Contract: docs/contract/rate-limits.md#network.
 */
export interface Address {
  readonly family: 4 | 6;
  /** Canonical enough for a look-up: dotted IPv4, or IPv6 without brackets and zone. */
  readonly text: string;
  /** 4 or 16 bytes in network order. */
  readonly bytes: readonly number[];
}

/** Whether a hop may speak for the one before it; hop 0 is the peer. */
export type Trust = (address: string, hop: number) => boolean;

/** What an address is when the peer has gone before it could be asked. */
export const UNKNOWN_ADDRESS: Address = { family: 4, text: '0.0.0.0', bytes: [0, 0, 0, 0] };

/** More entries of a forwarding chain are not looked at. */
const FORWARDED_ENTRIES_MAX = 64;
const ADDRESS_CHARS_MAX = 64;
const IPV6_GROUPS = 8;

/** Reads an address; null for anything else. */
export function parseAddress(text: string): Address | null {
  if (text.length > ADDRESS_CHARS_MAX) return null;
  const bytes4 = parseIpv4(text);
  if (bytes4 !== null) return { family: 4, text, bytes: bytes4 };
  const bare = text.replace(/%.*$/, '');
  const bytes6 = parseIpv6(bare);
  if (bytes6 === null) return null;
  const isMapped =
    bytes6.slice(0, 10).every((byte) => byte === 0) && bytes6[10] === 255 && bytes6[11] === 255;
  if (!isMapped) return { family: 6, text: bare, bytes: bytes6 };
  const mapped = bytes6.slice(12);
  return { family: 4, text: mapped.join('.'), bytes: mapped };
}

function parseIpv4(text: string): number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function parseIpv6(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return null;
  const [head, tail] = [parseGroups(halves[0] ?? ''), parseGroups(halves[1] ?? '')];
  if (head === null || tail === null) return null;
  const missing = IPV6_GROUPS - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function parseGroups(text: string): number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    const bytes4 = index === parts.length - 1 ? parseIpv4(part) : null;
    if (bytes4 !== null) {
      const [a = 0, b = 0, c = 0, d = 0] = bytes4;
      groups.push(a * 256 + b, c * 256 + d);
    } else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}

/**
 * The addresses of an `X-Forwarded-For` header, nearest hop first: ports and brackets are stripped, entries that are no
 * address are skipped. Contract: docs/contract/rate-limits.md#x-forwarded-for.
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
 * Whose request it is: the nearest address that is not a trusted proxy's, or the furthest when all are trusted. A
 * header is believed only as far as trusted hops reach. Contract: docs/contract/rate-limits.md#client-address.
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

/**
 * The client's network: IPv4 /24 or IPv6 /48, as a text that is hashed and never stored.
 * Contract: docs/contract/rate-limits.md#network.
 */
export function networkOf(address: Address): string {
  const prefix = address.family === 4 ? address.bytes.slice(0, 3) : address.bytes.slice(0, 6);
  return `${address.family}:${prefix.join('.')}`;
}
