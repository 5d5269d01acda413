/**
 * Longest time of one call to a peer, in milliseconds. With it every answer leaves the gateway well within five
 * seconds, even when a peer accepts calls and never answers.
 * Contract: docs/contract/failures.md#session-service-serving-service-events-service.
 */
export const PEER_BUDGET_MS = 3_000;

/** The address of a peer. */
export interface PeerOptions {
  /** `host:port`, `dns:///host:port` or `ipv4:address:port,…`. */
  readonly address: string;
  readonly name: string;
}
