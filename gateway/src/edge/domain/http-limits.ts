/** How long things may take on the public port, in milliseconds, and how much may be open there. */
export interface HttpLimits {
  /** An idle connection is kept so long. */
  readonly keepAliveMs: number;
  /** The headers of a request, and the whole of it, may take so long to arrive. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The body of a request of the SDK API may take so long. */
  readonly bodyMs: number;
  /** A connection with a running request may be silent so long, in either direction. */
  readonly silenceMs: number;
  /** How often slow requests are looked for. */
  readonly checkMs: number;
  readonly proxy: ProxyLimits;
}

/** Bounds of what is passed on to console-service. */
export interface ProxyLimits {
  /** Requests that are open at one time: of one network, and of all together. */
  readonly openPerNetworkMax: number;
  readonly openMax: number;
  /** Console-service may take so long to begin its answer. */
  readonly beginMs: number;
  /** A client reads at least so many bytes of an answer in so many milliseconds, or is given up. */
  readonly progressMs: number;
  readonly progressBytesMin: number;
}

/**
 * Generous to phones: one behind a bad line reads some 2,000 bytes a second, and thousands share a network behind their
 * carrier's NAT. Longer than usual balancers keep idle connections (60 to 75 s), so that they, not we, close first.
 */
export const HTTP_LIMITS: HttpLimits = {
  keepAliveMs: 95_000,
  headersMs: 30_000,
  requestMs: 60_000,
  bodyMs: 10_000,
  silenceMs: 60_000,
  checkMs: 5_000,
  proxy: {
    openPerNetworkMax: 64,
    openMax: 1_024,
    beginMs: 30_000,
    progressMs: 60_000,
    progressBytesMin: 32 * 1_024,
  },
};
