import ipaddr from 'ipaddr.js';

/** What an address is inside of, when it is not on the public internet. */
type AddressRange = ReturnType<ipaddr.IPv4['range']> | ReturnType<ipaddr.IPv6['range']>;

const PUBLIC: AddressRange = 'unicast';

/**
 * Whether an address belongs to the public internet. False for private, local, reserved and multicast addresses, for IPv6
 * addresses that carry an IPv4 address of any kind, and for a text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === PUBLIC;
}
