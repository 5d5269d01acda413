import type { Handlers } from '@placard/service-kit/grpc';
import { AdFormat, CapPeriod, CreativeType, FallbackProvider } from '@placard/protos/catalog/v1/catalog.js';
import {
  EventVerdict,
  type EventsServiceService,
  type ReportServiceService,
} from '@placard/protos/events/v1/events.js';
import {
  NoFillReason,
  type RequestAdRequest,
  type ServingServiceService,
} from '@placard/protos/serving/v1/serving.js';
import type { SessionServiceService, StartSessionRequest } from '@placard/protos/session/v1/session.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Fake services: handlers that tests may replace, and the requests that they received. */
export interface Peers {
  readonly session: Mutable<Handlers<SessionServiceService>>;
  readonly serving: Mutable<Handlers<ServingServiceService>>;
  readonly events: Mutable<Handlers<EventsServiceService>>;
  readonly reports: Mutable<Handlers<ReportServiceService>>;
  readonly received: { method: string; request: unknown }[];
}

/** The expiry of every fake token. */
export const EXPIRES_AT_MS = Date.UTC(2026, 4, 1, 13);

/** Makes peers that accept every request and record it. */
export function makePeers(received: Peers['received'] = []): Peers {
  const note = (method: string, request: unknown): void => void received.push({ method, request });
  return {
    received,
    session: {
      startSession: (request) => {
        note('startSession', request);
        return Promise.resolve(aSession(request));
      },
    },
    serving: {
      requestAd: (request) => {
        note('requestAd', request);
        return Promise.resolve(request.testForceNoFill ? aNoFill(request) : aFill(request));
      },
      commitReservations: () => Promise.resolve({}),
    },
    events: {
      recordImpression: (request) => {
        note('recordImpression', request);
        return Promise.resolve({ verdict: EventVerdict.ACCEPTED });
      },
      recordClick: (request) => {
        note('recordClick', request);
        return Promise.resolve({ verdict: EventVerdict.ACCEPTED });
      },
      recordReward: (request) => {
        note('recordReward', request);
        return Promise.resolve({ verdict: EventVerdict.ACCEPTED });
      },
      recordFallback: (request) => {
        note('recordFallback', request);
        return Promise.resolve({});
      },
    },
    reports: {
      getReport: () => Promise.resolve({ asOfMs: 0n, rows: [], empty: undefined }),
      getSuspiciousReport: () => Promise.resolve({ report: undefined }),
      // Comes each second, so it is not noted.
      reportErrors: () => Promise.resolve({}),
    },
  };
}

function aSession({ testMode }: StartSessionRequest) {
  return {
    sessionToken: 'a.session.token',
    sessionExpiresAtMs: BigInt(EXPIRES_AT_MS),
    config: {
      servingEnabled: true,
      requestTimeoutMs: 1_500,
      fallbackEnabled: true,
      testMode,
      configTtlSeconds: 300,
    },
    placements: [
      {
        code: 'home_banner',
        format: AdFormat.BANNER,
        serviceEnabled: true,
        fallbackProvider: FallbackProvider.PARTNER,
        partnerAdUnitId: 'ca-app-unit-1',
        requestTimeoutMs: 1_000,
        frequencyCap: { count: 3, period: CapPeriod.SESSION },
        bannerRefreshSeconds: 30,
      },
      {
        code: 'level_end',
        format: AdFormat.INTERSTITIAL,
        serviceEnabled: false,
        fallbackProvider: FallbackProvider.NONE,
        partnerAdUnitId: undefined,
        requestTimeoutMs: 1_000,
        frequencyCap: undefined,
        bannerRefreshSeconds: 30,
      },
    ],
  };
}

let fills = 0;

function aFill(request: RequestAdRequest) {
  fills += 1;
  return {
    requestId: `req_${fills}`,
    result: {
      $case: 'fill' as const,
      value: {
        adId: `ad_${fills}`,
        campaignId: 'cmp_spring',
        creativeId: 'cr_spring',
        format: request.format,
        creativeType: CreativeType.IMAGE,
        creativeUrl: `${request.publicBaseUrl}/creatives/spring.png`,
        clickUrl: 'https://shop.example.com/spring',
        width: 320,
        height: 50,
        durationSeconds: undefined,
        impressionToken: `token-${fills}-`.padEnd(900, 'x'),
        expiresAtMs: BigInt(EXPIRES_AT_MS),
        test: request.testMode,
      },
    },
  };
}

function aNoFill(request: RequestAdRequest) {
  fills += 1;
  return {
    requestId: `req_${fills}_${request.placement}`.slice(0, 64),
    result: {
      $case: 'noFill' as const,
      value: { fallback: FallbackProvider.PARTNER, reason: NoFillReason.TEST_NO_FILL },
    },
  };
}
