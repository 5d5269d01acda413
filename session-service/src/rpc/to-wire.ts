import type {
  AdFormat as DomainFormat,
  CapPeriod as DomainPeriod,
  FallbackProvider as DomainProvider,
} from '@placard/service-kit/pure';
import { AdFormat, CapPeriod, FallbackProvider } from '@placard/protos/catalog/v1/catalog.js';
import type {
  Config,
  PlacementConfig as WirePlacement,
  StartSessionResponse,
} from '@placard/protos/session/v1/session.js';
import type { PlacementConfig, SessionConfig } from '../domain/session-config.js';
import type { Session } from '../usecase/start-session.js';

const FORMATS: Readonly<Record<DomainFormat, AdFormat>> = {
  banner: AdFormat.BANNER,
  interstitial: AdFormat.INTERSTITIAL,
  rewarded: AdFormat.REWARDED,
};

const PROVIDERS: Readonly<Record<DomainProvider, FallbackProvider>> = {
  none: FallbackProvider.NONE,
  partner: FallbackProvider.PARTNER,
};

const PERIODS: Readonly<Record<DomainPeriod, CapPeriod>> = {
  session: CapPeriod.SESSION,
  hour: CapPeriod.HOUR,
  day: CapPeriod.DAY,
};

/** A started session as the wire has it. */
export function toStartSessionResponse(session: Session): StartSessionResponse {
  return {
    sessionToken: session.token,
    sessionExpiresAtMs: BigInt(session.expiresAtMs),
    config: toConfig(session.config),
    placements: session.placements.map(toPlacement),
  };
}

function toConfig(config: SessionConfig): Config {
  return {
    servingEnabled: config.isServingEnabled,
    requestTimeoutMs: config.requestTimeoutMs,
    fallbackEnabled: config.isFallbackEnabled,
    testMode: config.isTestMode,
    configTtlSeconds: config.configTtlSeconds,
  };
}

function toPlacement(placement: PlacementConfig): WirePlacement {
  const { frequencyCap } = placement;
  return {
    code: placement.code,
    format: FORMATS[placement.format],
    serviceEnabled: placement.isServiceEnabled,
    fallbackProvider: PROVIDERS[placement.fallbackProvider],
    partnerAdUnitId: placement.partnerAdUnitId ?? undefined,
    requestTimeoutMs: placement.requestTimeoutMs,
    frequencyCap:
      frequencyCap === null ? undefined : { count: frequencyCap.count, period: PERIODS[frequencyCap.period] },
    bannerRefreshSeconds: placement.bannerRefreshSeconds,
  };
}
