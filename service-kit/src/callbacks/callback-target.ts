import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** All addresses of a host. Rejects when the name cannot be resolved. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Asks the resolver of the operating system. */
export const resolveHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Where a callback goes: its address was checked, and only this address may be connected to. */
export type CallbackTarget =
  | { readonly isAllowed: true; readonly url: URL; readonly address: string }
  /**
   * The reason is a sentence for the person who set the address; it holds no part of it. `isUnresolved`: the host has no
   * address now, and may have one later.
   */
  | { readonly isAllowed: false; readonly isUnresolved: boolean; readonly reason: string };

const URL_CHARS_MAX = 2_048;

/**
 * Checks the address of a callback and resolves its host. Allowed is `https://host[:port][/…]` without user information
 * and fragment, whose host has public addresses only. A name that resolves to several addresses is refused when one of them
 * is not public. `isAddressAllowed` decides on an address.
 */
export async function findCallbackTarget(
  text: string,
  resolve: ResolveHost = resolveHost,
  isAddressAllowed: (address: string) => boolean = isPublicAddress,
): Promise<CallbackTarget> {
  const url = text.length <= URL_CHARS_MAX && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== 'https:') {
    return refused(`The address is not an https:// URL of at most ${URL_CHARS_MAX} characters.`);
  }
  if (url.username !== '' || url.password !== '') return refused('The address holds a user or a password.');
  if (url.hash !== '') return refused('The address holds a fragment.');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  const [address] = addresses;
  if (address === undefined) {
    return { ...refused('The host of the address cannot be resolved.'), isUnresolved: true };
  }
  if (!addresses.every(isAddressAllowed)) {
    return refused('The host of the address is in a private or reserved network.');
  }
  return { isAllowed: true, url, address };
}

function refused(reason: string): CallbackTarget & { readonly isAllowed: false } {
  return { isAllowed: false, isUnresolved: false, reason };
}
