/**
 * An IP address of a client or a proxy. An IPv4-mapped IPv6 address is stored as IPv4.
 * Contract: docs/contract/rate-limits.md#network.
 */
export interface Address {
  readonly family: 4 | 6;
  /** Canonical form for look-ups: dotted IPv4, or IPv6 without brackets and zone. */
  readonly text: string;
  /** 4 or 16 bytes in network order. */
  readonly bytes: readonly number[];
}

/** Whether a hop is trusted to name the hop before it. Hop 0 is the peer. */
export type Trust = (address: string, hop: number) => boolean;

/** The address of a peer that disconnected before its address was read. */
export const UNKNOWN_ADDRESS: Address = { family: 4, text: '0.0.0.0', bytes: [0, 0, 0, 0] };

/**
 * The client's network: IPv4 /24 or IPv6 /48. The text is hashed and never stored.
 * Contract: docs/contract/rate-limits.md#network.
 */
export function networkOf(address: Address): string {
  const prefix = address.family === 4 ? address.bytes.slice(0, 3) : address.bytes.slice(0, 6);
  return `${address.family}:${prefix.join('.')}`;
}
