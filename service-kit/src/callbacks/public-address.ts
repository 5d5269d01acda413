import ipaddr from 'ipaddr.js';

/** What an address is inside of, when it is not on the public internet. */
type AddressRange = ReturnType<ipaddr.IPv4['range']> | ReturnType<ipaddr.IPv6['range']>;

const PUBLIC: AddressRange = 'unicast';
/** All IPv6 addresses of the public internet. Others carry an IPv4 address, such as ::10.0.0.1, or are kept for later. */
const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. False for private, local, reserved and multicast addresses, for IPv6
 * addresses that carry an IPv4 address of any kind, and for a text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return address.range() === PUBLIC && (address instanceof ipaddr.IPv4 || address.match(PUBLIC_V6));
}
