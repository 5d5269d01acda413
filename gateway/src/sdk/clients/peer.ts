/**
 * Longest time of one call to a peer, in milliseconds. Phones wait for one to one and a half seconds, so a later answer
 * would reach nobody. The time limits behind a peer are shorter, so that a peer whose store hangs still answers.
 * Contract: docs/contract/failures.md#session-service-serving-service-events-service.
 */
export const PEER_BUDGET_MS = 1_300;

/** The address of a peer. */
export interface PeerOptions {
  /** `host:port`, `dns:///host:port` or `ipv4:address:port,…`. */
  readonly address: string;
  readonly name: string;
}
