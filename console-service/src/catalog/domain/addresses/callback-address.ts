import { httpsFault } from './https-address.js';

/** The host of an address that {@link httpsFault} accepts, without its port. */
const HOST = /^https:\/\/(\[[^\]]*\]|[^/:]+)/;
/** The last label of an IPv4 address is a number, and that of a name is none. */
const IPV4 = /(?:^|\.)\d+$/;

/**
 * Why an address cannot be that of a reward callback; null when it can. Its host is a name, so that the addresses behind it
 * are looked up and judged at each call. Contract: docs/reward-callbacks.md#addresses.
 */
export function callbackFault(address: string): string | null {
  const fault = httpsFault(address);
  if (fault !== null) return fault;
  if (address.includes('#')) return 'must not hold a fragment (the part from a # on)';
  const host = HOST.exec(address)?.[1] ?? '';
  return host.startsWith('[') || IPV4.test(host)
    ? 'must name a host by its name and not by its address'
    : null;
}
