import { CATALOG_APPLY_MS_MAX, CATALOG_FILE_BYTES_MAX } from '@placard/service-kit/pure';

/** Time limits on the public port, in milliseconds, and limits of open requests. */
export interface HttpLimits {
  /** An idle connection is closed after this time. */
  readonly keepAliveMs: number;
  /** Longest time for the headers of a request, and for the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Longest time for the body of a request of the SDK API. */
  readonly bodyMs: number;
  /** Longest silence of a connection with a running request, in either direction. */
  readonly silenceMs: number;
  /** Interval of the check for slow requests. */
  readonly checkMs: number;
  /**
   * A request that may have waited this long until the process read it is refused. The process is late then, and every
   * request that it serves makes those behind it later.
   */
  readonly waitedMs: Readonly<Record<'events' | 'ads' | 'sessions' | 'reports', number>>;
  readonly creatives: ProxyLimits;
  readonly manage: ProxyLimits;
}

/** Limits of proxied requests to console-service. */
export interface ProxyLimits {
  /** Most requests at one time: of one network, and of all together. */
  readonly openPerNetworkMax: number;
  readonly openMax: number;
  /** Most bytes of a request body whose length is announced. console-service bounds the others. */
  readonly bodyBytesMax: number;
  /** Longest time until console-service begins its answer. */
  readonly beginMs: number;
  /**
   * A client must read this number of bytes of an answer in this number of milliseconds. Otherwise it is disconnected.
   */
  readonly progressMs: number;
  readonly progressBytesMin: number;
}

/**
 * Generous to phones: a phone on a bad line reads about 2,000 bytes a second, and thousands share a network behind the
 * NAT of their carrier. Idle connections are kept longer than by usual balancers (60 to 75 s), so that the balancer
 * closes them first.
 */
export const HTTP_LIMITS: HttpLimits = {
  keepAliveMs: 95_000,
  headersMs: 30_000,
  requestMs: 60_000,
  bodyMs: 10_000,
  silenceMs: 60_000,
  checkMs: 5_000,
  waitedMs: { events: 600, ads: 300, sessions: 200, reports: 100 },
  creatives: {
    openPerNetworkMax: 64,
    openMax: 1_024,
    bodyBytesMax: 0,
    beginMs: 30_000,
    progressMs: 60_000,
    progressBytesMin: 32 * 1_024,
  },
  // The largest catalog takes minutes to apply.
  manage: {
    openPerNetworkMax: 32,
    openMax: 128,
    bodyBytesMax: CATALOG_FILE_BYTES_MAX,
    beginMs: CATALOG_APPLY_MS_MAX,
    progressMs: 60_000,
    progressBytesMin: 32 * 1_024,
  },
};
