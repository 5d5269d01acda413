import { HOST_FAULT, httpsFault } from './https-address.js';

/** The host of an address, without its port. */
const HOST = /^https:\/\/(\[[^\]]*\]|[^/:?#]+)/;
/** The last label of an IPv4 address, in the short and hexadecimal forms too, is a number, and that of a name is none. */
const IPV4 = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i;

/**
 * Why an address cannot be that of a reward callback; null when it can. Its host is a name, so that the addresses behind it
 * are looked up and judged at each call. Contract: docs/reward-callbacks.md#addresses.
 */
export function callbackFault(address: string): string | null {
  const fault = httpsFault(address);
  if (fault !== null && fault !== HOST_FAULT) return fault;
  const host = HOST.exec(address)?.[1] ?? '';
  if (host.startsWith('[') || IPV4.test(host)) return 'must name a host by its name and not by its address';
  if (fault === HOST_FAULT) return 'must name a host of letters, digits, - and .; others in their xn-- form';
  // Only a label that is not in Punycode passes the other rules and cannot be parsed.
  if (!URL.canParse(address)) return 'must name a host whose xn-- labels can be decoded';
  return address.includes('#') ? 'must not hold a fragment (the part from a # on)' : null;
}
