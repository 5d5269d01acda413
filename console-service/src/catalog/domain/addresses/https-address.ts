import { codePointName } from '@placard/service-kit/pure';

/** A character that RFC 3986 allows in no part of an address. */
const FOREIGN = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/u;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
/** Brackets and a second # after the host. RFC 3986 does not allow them there. */
const MISPLACED = /[[\]]|(?<=#.*)#/;
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:[^:]*)?$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const HOST_CHARS_MAX = 253;
const PORT_MAX = 65_535;
const HTTPS = 'https://';

/** Why an address is refused whose host is neither a name nor an IP address that all parsers read alike. */
export const HOST_FAULT =
  'must name a host of letters, digits, - and ., an IPv4 or a bracketed IPv6 address; others in their xn-- form';

/**
 * Why an address is not an `https://host[:port][/…]` that all parsers read alike; null when it is. An international host
 * needs its `xn--` form. Contract: docs/contract/catalog.md#addresses.
 */
export function httpsFault(address: string): string | null {
  const fault = characterFault(address);
  if (fault !== null) return fault;
  if (!address.startsWith(HTTPS)) return `must begin with ${HTTPS}`;
  const authority = /^[^/?#]*/.exec(address.slice(HTTPS.length))?.[0] ?? '';
  const end = HTTPS.length + authority.length;
  return authorityFault(authority) ?? restFault(address, end);
}

/** Why a text contains characters that no address may have; null when it does not. Places count from 1. */
export function characterFault(address: string): string | null {
  const foreign = FOREIGN.exec(address);
  if (foreign !== null)
    return `${mustNotHold(foreign[0], placeOf(address, foreign.index))}: it is not of RFC 3986`;
  const broken = address.search(BROKEN_ESCAPE);
  return broken < 0 ? null : `must have two hexadecimal digits after the % at character ${broken + 1}`;
}

/** Why the part after the host, from `at` on, is refused; null when it is fine. */
function restFault(address: string, at: number): string | null {
  const rest = address.slice(at);
  if (rest !== '' && !rest.startsWith('/'))
    return `must have a / before the ${rest.charAt(0)} at character ${at + 1}`;
  const misplaced = MISPLACED.exec(rest);
  if (misplaced === null) return null;
  const escape = `%${misplaced[0].charCodeAt(0).toString(16).toUpperCase()}`;
  return `${mustNotHold(misplaced[0], at + misplaced.index + 1)}: write ${escape}`;
}

function authorityFault(authority: string): string | null {
  if (authority === '') return 'must name a host after https://';
  if (authority.includes('@')) return 'must not hold user information (the part before an @)';
  const [, host = '', port] = AUTHORITY.exec(authority) ?? [];
  if (!isHost(host)) return HOST_FAULT;
  if (port === undefined || (/^:[1-9]\d{0,4}$/.test(port) && Number(port.slice(1)) <= PORT_MAX)) return null;
  return `must have a port from 1 to ${PORT_MAX} after the : of its host, or no :`;
}

function isHost(host: string): boolean {
  // All parsers read shortened IPv6 addresses alike.
  if (host.startsWith('[')) return URL.canParse(`${HTTPS}${host}`);
  const labels = host.split('.');
  if (host.length > HOST_CHARS_MAX || !labels.every((label) => LABEL.test(label))) return false;
  // Lenient parsers read 127.1, 2130706433 and 0x7f.1 as 127.0.0.1.
  const isNumber = /^(?:\d+|0[xX][0-9A-Fa-f]*)$/.test(labels.at(-1) ?? '');
  return !isNumber || (labels.length === 4 && labels.every(isOctet));
}

function isOctet(label: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) <= 255;
}

function mustNotHold(character: string, place: number): string {
  return `must not hold ${codePointName(character)} at character ${place}`;
}

function placeOf(text: string, index: number): number {
  return Array.from(text.slice(0, index)).length + 1;
}
