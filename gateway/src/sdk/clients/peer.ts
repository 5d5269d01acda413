/**
 * Longest that a peer may take for one call, in milliseconds; with it every answer leaves the gateway well within five
 * seconds, also when a peer accepts calls and never answers.
 * Contract: docs/contract/failures.md#session-service-serving-service-events-service.
 */
export const PEER_BUDGET_MS = 3_000;

/** Where a peer is. */
export interface PeerOptions {
  /** `host:port`, `dns:///host:port` or `ipv4:address:port,…`. */
  readonly address: string;
  readonly name: string;
}
